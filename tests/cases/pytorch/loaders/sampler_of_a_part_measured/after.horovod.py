"""The loss is divided by the length of the loader's sampler, which is that of the part that it draws from."""
import torch
from torch import nn
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset
import horovod.torch as hvd
from torch.utils.data import Sampler

hvd.init()
torch.manual_seed(1)
inputs = torch.randn(500, 5)
data = TensorDataset(inputs, (inputs.sum(1) > 0).long())
order = torch.randperm(len(data)).tolist()


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
train_sampler = SharedSampler(SubsetRandomSampler(order[100:]))
train_loader = DataLoader(data, batch_size=20 // hvd.size(), sampler=train_sampler)
valid_loader = DataLoader(data, batch_size=20, sampler=SubsetRandomSampler(order[:100]).indices)
model = nn.Linear(5, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
best = float("inf")
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(1 + hvd.rank())
for epoch in range(4):
    train_loss = valid_loss = 0.0
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        train_loss += loss.item() * x.size(0)
    total = hvd.allreduce(torch.tensor(train_loss, dtype=torch.float64), op=hvd.Sum)
    train_loss = total.item()
    with torch.no_grad():
        for x, y in valid_loader:
            valid_loss += criterion(model(x), y).item() * x.size(0)
    train_loss = train_loss / len(train_loader.sampler.sampler)
    valid_loss = valid_loss / len(valid_loader.sampler)
    if hvd.rank() == 0:
        print(f"{epoch}: {train_loss:.4f} {valid_loss:.4f}")
    if valid_loss < best:
        best = valid_loss
        if hvd.rank() == 0:
            torch.save(model.state_dict(), "best.pt")
hvd.shutdown()
