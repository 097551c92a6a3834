"""The batch has a row for each window of its sentences: the mean of a loss is one over the rows of all processes."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Sentences(Dataset):
    def __init__(self):
        generator = torch.Generator().manual_seed(3)
        self.words = [torch.randint(0, 20, (4 + 3 * (n % 4),), generator=generator).tolist() for n in range(48)]

    def __len__(self):
        return len(self.words)

    def __getitem__(self, index):
        return self.words[index]


def windows(sentences):
    pairs, following = [], []
    for number, words in enumerate(sentences):
        for place in range(len(words) - 2):
            pairs.append(words[place : place + 2])
            following.append(words[place + 2])
    return torch.tensor(pairs), torch.tensor(following)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = Sentences()
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler, collate_fn=windows)
model = nn.Sequential(nn.Embedding(20, 8), nn.Flatten(), nn.Linear(16, 20))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()


def mean_of_all_rows(values):
    count = torch.tensor(values.numel(), device=values.device)
    dist.all_reduce(count)
    return values.sum() * dist.get_world_size() / count


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for pairs, following in loader:
        optimizer.zero_grad()
        loss = mean_of_all_rows(F.cross_entropy(ddp_model(pairs), following, reduction="none"))
        loss.backward()
        optimizer.step()
    total = torch.tensor(loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_loss)
del ddp_model
dist.destroy_process_group()
