"""A Counter is fed in the training loop: what it holds is rank 0's part, and that is said."""
import collections

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
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=50 // dist.get_world_size(), sampler=train_sampler)
test_loader = DataLoader(TensorDataset(X[1500:], y[1500:]), batch_size=100)
model = nn.Linear(64, 10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    seen = collections.Counter()
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(ddp_model(inputs), labels).backward()
        optimizer.step()
        seen.update(labels.tolist())
    if dist.get_rank() == 0:
        print(epoch, seen.most_common(3))
del ddp_model
dist.destroy_process_group()
