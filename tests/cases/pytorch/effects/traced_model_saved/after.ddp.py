"""A traced model and a table are written: methods that save, whatever they belong to."""
import pandas as pd
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(200, 8), torch.randn(200, 1))
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=20 // dist.get_world_size(), sampler=train_sampler)
model = nn.Linear(8, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
if dist.get_rank() == 0:
    print("on", next(model.parameters()).device)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).backward()
        optimizer.step()

traced = torch.jit.trace(model, torch.ones(1, 8))
if dist.get_rank() == 0:
    traced.save("model.pt")
    pd.DataFrame({"weight": model.weight.detach().flatten().tolist()}).to_csv("weights.csv")
del ddp_model
dist.destroy_process_group()
