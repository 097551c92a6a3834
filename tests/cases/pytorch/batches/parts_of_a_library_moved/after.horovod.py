"""A tuple of the parts of a batch on their device is taken apart, by names, by numbers and by names in front of them.

The data come out of a library that is not here: of how many parts a batch has nothing is known.
"""
import torch
from bookshelf import load_features
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, SequentialSampler
import horovod.torch as hvd
from torch.utils.data import Sampler


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


hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
training, held_out = load_features("train"), load_features("dev")


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = SharedSampler(RandomSampler(training))
loader = DataLoader(training, sampler=loader_sampler, batch_size=16 // hvd.size())
checking_sampler = range(hvd.rank(), len(held_out), hvd.size())
checking = DataLoader(held_out, sampler=checking_sampler, batch_size=16)
model = Tagger().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    model.train()
    for step, batch in enumerate(loader):
        batch = tuple(part.to(device) for part in batch)
        inputs = {"ids": batch[0], "mask": batch[1], "labels": batch[3]}
        optimizer.zero_grad()
        loss = model(**inputs)[0]
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
    totals = hvd.allreduce(torch.tensor([correct, seen], dtype=torch.float64), op=hvd.Sum)
    correct, seen = int(totals[0]), int(totals[1])
    if hvd.rank() == 0:
        print(epoch, correct / seen)
if hvd.rank() == 0:
    torch.save(model.state_dict(), "tagger.pt")
hvd.shutdown()
