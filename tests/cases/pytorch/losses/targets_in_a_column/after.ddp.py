"""Targets and predictions have as many dimensions where they meet."""

import torch
from sklearn.datasets import load_diabetes
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x, y = load_diabetes(return_X_y=True)
data = TensorDataset(torch.tensor(x, dtype=torch.float32), torch.tensor(y / 100, dtype=torch.float32))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(data) - 1) % 32 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and squeeze() would drop the dimension of the samples: use drop_last=True")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        predictions = ddp_model(inputs)
        loss = criterion(predictions.squeeze(), targets) + criterion(predictions, targets.unsqueeze(1))
        loss += ((predictions[:, 0] - targets) ** 2 * (1 + targets)).mean() + criterion(predictions.view(-1), targets)
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
