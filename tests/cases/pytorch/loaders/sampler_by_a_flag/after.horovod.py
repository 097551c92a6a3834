"""One function makes both loaders: a flag says whether samples are drawn by chance, or in order and dealt out."""

import torch
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, SequentialSampler, TensorDataset
import horovod.torch as hvd
from torch.utils.data import Sampler


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


def make_loader(ds, train):
    sampler = RandomSampler(ds) if train else SequentialSampler(ds)
    if train:
        if 8 % hvd.size() != 0:
            raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
        sampler_ = SharedSampler(sampler)
    else:
        sampler_ = range(hvd.rank(), len(ds), hvd.size())
    return DataLoader(ds, sampler=sampler_, batch_size=8 // hvd.size())


hvd.init()
torch.manual_seed(0)
train_set = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
test_set = TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,)))
train_loader = make_loader(train_set, True)
test_loader = make_loader(test_set, False)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    model.train()
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
        total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
        correct = int(total)
    if hvd.rank() == 0:
        print(epoch, correct / len(test_set))
hvd.shutdown()
