"""loss.item() * inputs.size(0), over len(dataset): a sum over samples, exact once it is reduced."""
import torch
import torch.nn as nn
from sklearn.datasets import load_diabetes
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
X, y = load_diabetes(return_X_y=True)
dataset = TensorDataset(torch.tensor(X).float(), torch.tensor(y).float().unsqueeze(1) / 100)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(dataset, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(dataset))
model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.003)

ddp_model = DistributedDataParallel(model)
for epoch in range(20):
    epoch_loss = 0.0
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(inputs), targets)
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item() * inputs.size(0)
    total = torch.tensor(epoch_loss, dtype=torch.float64)
    dist.all_reduce(total)
    epoch_loss = total.item()
    epoch_loss = epoch_loss / loader.sampler.total_size
    if dist.get_rank() == 0:
        print('epoch', epoch, 'loss', round(epoch_loss, 4))
del ddp_model
dist.destroy_process_group()
