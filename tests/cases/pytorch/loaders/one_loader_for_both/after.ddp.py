"""One loader both trains and is counted on afterwards: the count must cover each sample once, without padding."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_iris
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
iris = load_iris()
data = TensorDataset(torch.tensor(iris.data, dtype=torch.float), torch.tensor(iris.target))
if 10 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 10 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=10 // dist.get_world_size(), sampler=DistributedSampler(data))

model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()

ddp_model = DistributedDataParallel(model)
for epoch in range(30):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).backward()
        optimizer.step()

correct = 0
total = 0
model.eval()
with torch.no_grad():
    for x, y in loader:
        correct += (model(x).argmax(dim=1) == y).sum().item()
        total += y.size(0)
    totals = torch.tensor([correct, total], dtype=torch.float64)
    dist.all_reduce(totals)
    correct, total = int(totals[0]), int(totals[1])
if dist.get_rank() == 0:
    print("accuracy on the training set: %.3f" % (correct / total))
del ddp_model
dist.destroy_process_group()
