"""train_test_split without random_state draws from NumPy's global generator, which must be equal on all ranks."""
import torch
import torch.nn as nn
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset
import numpy as np
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
np.random.seed(seed % 2**32)
X, y = load_iris(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2)
train_data = TensorDataset(torch.FloatTensor(X_train), torch.LongTensor(y_train))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
X_test, y_test = torch.FloatTensor(X_test), torch.LongTensor(y_test)
model = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(torch.initial_seed() + dist.get_rank())
    np.random.seed((torch.initial_seed() + dist.get_rank()) % 2**32)
for epoch in range(30):
    train_loader.sampler.set_epoch(epoch)
    for x, t in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), t).backward()
        optimizer.step()
model.eval()
with torch.no_grad():
    acc = (model(X_test).argmax(1) == y_test).float().mean().item()
if dist.get_rank() == 0:
    print('Test accuracy:', acc)
del ddp_model
dist.destroy_process_group()
