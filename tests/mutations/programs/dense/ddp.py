"""`before.py` for DistributedDataParallel, by hand."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

torch.manual_seed(0)
x = torch.randn(303, 10)
y = (x[:, 0] + x[:, 1] * x[:, 2] > 0).long()
train_set, test_set = TensorDataset(x[:203], y[:203]), TensorDataset(x[203:], y[203:])
sampler = DistributedSampler(train_set, shuffle=True)
train_loader = DataLoader(train_set, batch_size=24 // size, sampler=sampler)
test_loader = DataLoader(test_set, batch_size=16, sampler=range(rank, len(test_set), size))

model = nn.Sequential(nn.Linear(10, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
ddp_model = DistributedDataParallel(model)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

for epoch in range(3):
    sampler.set_epoch(epoch)
    model.train()
    total = 0.0
    for a, b in train_loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(a), b)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(a)

    for buffer in model.buffers():
        dist.broadcast(buffer, 0)
    model.eval()
    correct = 0
    with torch.no_grad():
        for a, b in test_loader:
            correct += (model(a).argmax(1) == b).sum().item()
    sums = torch.tensor([total, correct], dtype=torch.float64)
    dist.all_reduce(sums)
    total, correct = sums[0].item(), int(sums[1].item())
    if rank == 0:
        print(f"epoch {epoch}: loss {total / 203:.5f}, {correct} of {len(test_set)} right")

if rank == 0:
    torch.save(model.state_dict(), "model.pt")
del ddp_model
dist.destroy_process_group()
