"""drop_last of the training loader must also reach the sampler, or the number of steps is wrong."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
X, y = load_breast_cancer(return_X_y=True)
X = StandardScaler().fit_transform(X)
dataset = TensorDataset(torch.tensor(X, dtype=torch.float32), torch.tensor(y, dtype=torch.float32))
if 40 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(dataset, drop_last=True)
loader = DataLoader(dataset, batch_size=40 // dist.get_world_size(), sampler=loader_sampler, drop_last=True)

model = nn.Sequential(nn.Linear(30, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.RMSprop(model.parameters(), lr=0.001)

ddp_model = DistributedDataParallel(model)
for epoch in range(15):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        out = ddp_model(xb).squeeze(1)
        loss = criterion(out, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
