"""A tuple of the parts of a batch on their device is taken apart, by names, by numbers and by names in front of them.

The data come out of a library that is not here: of how many parts a batch has nothing is known.
"""
import torch
from bookshelf import load_features
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, SequentialSampler
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(100, 16)
        self.top = nn.Linear(16, 3)
        self.criterion = nn.CrossEntropyLoss()

    def forward(self, ids, mask, labels=None):
        known = mask.unsqueeze(-1).float()
        found = self.top((self.words(ids) * known).sum(1) / known.sum(1))
        return found if labels is None else (self.criterion(found, labels), found)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
training, held_out = load_features("train"), load_features("dev")


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        drawn = [list(self.sampler)]
        dist.broadcast_object_list(drawn)
        indices = drawn[0]
        end = dist.get_rank() + len(indices)
        return (indices[i % len(indices)] for i in range(dist.get_rank(), end, dist.get_world_size()))

    def __len__(self):
        return (len(self.sampler) + dist.get_world_size() - 1) // dist.get_world_size()


if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = SharedSampler(RandomSampler(training))
loader = DataLoader(training, sampler=loader_sampler, batch_size=16 // dist.get_world_size())
checking_sampler = range(dist.get_rank(), len(held_out), dist.get_world_size())
checking = DataLoader(held_out, sampler=checking_sampler, batch_size=16)
model = Tagger().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    model.train()
    for step, batch in enumerate(loader):
        batch = tuple(part.to(device) for part in batch)
        inputs = {"ids": batch[0], "mask": batch[1], "labels": batch[3]}
        optimizer.zero_grad()
        loss = ddp_model(**inputs)[0]
        loss.backward()
        optimizer.step()
    model.eval()
    correct = seen = 0
    for batch in checking:
        batch = tuple(map(lambda part: part.to(device), batch))
        ids, mask, _, labels = batch
        with torch.no_grad():
            found = model(ids, mask)
        correct += (found.argmax(1) == labels).sum().item()
        seen += len(labels)
    totals = torch.tensor([correct, seen], dtype=torch.float64)
    dist.all_reduce(totals)
    correct, seen = int(totals[0]), int(totals[1])
    if dist.get_rank() == 0:
        print(epoch, correct / seen)
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "tagger.pt")
del ddp_model
dist.destroy_process_group()
