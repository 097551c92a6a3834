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
x = torch.randn(33, 10)
y = (x[:, 0] > 0).long()
sampler = DistributedSampler(TensorDataset(x, y))
loader = DataLoader(TensorDataset(x, y), batch_size=8 // size, sampler=sampler)
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 2))
model = DistributedDataParallel(model)
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)

for epoch in range(8):
    sampler.set_epoch(epoch)
    total, correct, seen = 0.0, 0, 0
    for a, b in loader:
        output = model(a)
        loss = nn.functional.cross_entropy(output, b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(a)
        correct += (output.argmax(1) == b).sum().item()
        seen += len(a)
    sums = torch.tensor([total, correct, seen], dtype=torch.float64)
    dist.all_reduce(sums)
    total, correct, seen = sums.tolist()
    if rank == 0:
        print(f"epoch {epoch}: loss {total / seen:.5f}, accuracy {correct / seen:.2%}")

dist.destroy_process_group()
