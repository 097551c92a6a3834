"""`before.py` for Horovod, by hand."""
import horovod.torch as hvd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

hvd.init()
rank, size = hvd.rank(), hvd.size()

torch.manual_seed(0)
x = torch.randn(303, 10)
y = (x[:, 0] + x[:, 1] * x[:, 2] > 0).long()
train_set, test_set = TensorDataset(x[:203], y[:203]), TensorDataset(x[203:], y[203:])
sampler = DistributedSampler(train_set, num_replicas=size, rank=rank, shuffle=True)
train_loader = DataLoader(train_set, batch_size=24 // size, sampler=sampler)
test_loader = DataLoader(test_set, batch_size=16, sampler=range(rank, len(test_set), size))

model = nn.Sequential(nn.Linear(10, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

for epoch in range(3):
    sampler.set_epoch(epoch)
    model.train()
    total = 0.0
    for a, b in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(a), b)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(a)

    hvd.broadcast_parameters(dict(model.named_buffers()), root_rank=0)
    model.eval()
    correct = 0
    with torch.no_grad():
        for a, b in test_loader:
            correct += (model(a).argmax(1) == b).sum().item()
    sums = hvd.allreduce(torch.tensor([total, correct], dtype=torch.float64), op=hvd.Sum)
    total, correct = sums[0].item(), int(sums[1].item())
    if rank == 0:
        print(f"epoch {epoch}: loss {total / 203:.5f}, {correct} of {len(test_set)} right")

if rank == 0:
    torch.save(model.state_dict(), "model.pt")
