"""train is a pandas table and test another: evaluation and training are told by what loops do."""
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
train = pd.read_csv("train.csv")
test = pd.read_csv("test.csv")
features = [c for c in train.columns if c != "target"]
dl_data = TensorDataset(
    torch.tensor(train[features].values).float(), torch.tensor(train["target"].values).float().unsqueeze(1)
)
if 128 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 128 cannot be shared out over {dist.get_world_size()} processes")
dl_sampler = DistributedSampler(dl_data)
dl = DataLoader(dl_data,
                batch_size=128 // dist.get_world_size(), sampler=dl_sampler)
model = nn.Sequential(nn.Linear(len(features), 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
ddp_model = DistributedDataParallel(model)
for epoch in range(5):
    dl.sampler.set_epoch(epoch)
    for xb, yb in dl:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(xb), yb).backward()
        optimizer.step()
with torch.no_grad():
    test["prediction"] = model(torch.tensor(test[features].values).float()).squeeze(1).numpy()
if dist.get_rank() == 0:
    test[["id", "prediction"]].to_csv("submission.csv", index=False)
del ddp_model
dist.destroy_process_group()
