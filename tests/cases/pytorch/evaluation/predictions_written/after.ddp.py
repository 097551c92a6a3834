"""Predictions of the test set are written to a CSV in the order of the data: every process predicts all, rank 0 writes."""
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
dist.init_process_group("gloo")
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(512, 8), torch.randn(512, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
test_loader = DataLoader(TensorDataset(torch.randn(50, 8)), batch_size=16, shuffle=False)
model = nn.Linear(8, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(5):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()

predictions = []
with torch.no_grad():
    for (x,) in test_loader:
        predictions.append(model(x))
predictions = torch.cat(predictions).squeeze(1).numpy()
submission = pd.DataFrame({"id": range(len(predictions)), "target": predictions})
if dist.get_rank() == 0:
    submission.to_csv("submission.csv", index=False)
del ddp_model
dist.destroy_process_group()
