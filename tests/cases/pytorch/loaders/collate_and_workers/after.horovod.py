"""collate_fn, workers and pin_memory are kept as they stand; only batch size and order change hands."""
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset, DataLoader
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


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
    hvd.init()
    if torch.cuda.is_available():
        torch.cuda.set_device(hvd.local_rank())
    loader_data = Sentences()
    if 20 % hvd.size() != 0:
        raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=20 // hvd.size(), sampler=loader_sampler, collate_fn=collate,
                        num_workers=2, pin_memory=torch.cuda.is_available())
    model = Bag()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.002)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for tokens, labels in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(tokens), labels)
            loss.backward()
            optimizer.step()
        if hvd.rank() == 0:
            print("epoch %d ready" % epoch)
    hvd.shutdown()
