"""collate_fn, workers and pin_memory are kept as they stand; only batch size and order change hands."""
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset, DataLoader
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Sentences(Dataset):
    def __init__(self, n=600):
        g = torch.Generator().manual_seed(1)
        self.items = [torch.randint(1, 50, (int(torch.randint(3, 12, (1,), generator=g)),), generator=g) for _ in range(n)]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i], int(self.items[i].sum() % 2)


def collate(batch):
    seqs, labels = zip(*batch)
    return pad_sequence(seqs, batch_first=True), torch.tensor(labels)


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(50, 16, padding_idx=0)
        self.out = nn.Linear(16, 2)

    def forward(self, x):
        return self.out(self.emb(x).sum(1))


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    loader_data = Sentences()
    if 20 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=20 // dist.get_world_size(), sampler=loader_sampler, collate_fn=collate,
                        num_workers=2, pin_memory=torch.cuda.is_available())
    model = Bag()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.002)
    ddp_model = DistributedDataParallel(model)
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for tokens, labels in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(ddp_model(tokens), labels)
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print("epoch %d ready" % epoch)
    del ddp_model
    dist.destroy_process_group()
