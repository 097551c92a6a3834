"""model.train(False) is model.eval(): the buffers are made equal before a decision on the evaluation."""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
digits = load_digits()
X = torch.tensor(digits.data).float() / 16
y = torch.tensor(digits.target)
train_data = TensorDataset(X[:1500], y[:1500])
if 50 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 50 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(train_data) - 1) % 50 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=50 // dist.get_world_size(), sampler=train_sampler)

model = nn.Sequential(nn.Linear(64, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)


def from_rank_0(value):
    values = [value]
    dist.broadcast_object_list(values)
    return values[0]


ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(ddp_model(inputs), labels).backward()
        optimizer.step()
    for buffer in model.buffers():
        dist.broadcast(buffer, src=0)
    model.train(False)
    with torch.no_grad():
        scheduler.step(from_rank_0(criterion(model(X[1500:]), y[1500:])))
del ddp_model
dist.destroy_process_group()
