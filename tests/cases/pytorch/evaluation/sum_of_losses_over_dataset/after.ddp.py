"""Summed losses and hits over len(dataset): the loader is sharded by sample without padding, both sums reduced, the divisor stays."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_digits
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
digits = load_digits()
X = torch.tensor(digits.images).float().unsqueeze(1) / 16
y = torch.tensor(digits.target)
train_data = TensorDataset(X[:1500], y[:1500])
if 50 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 50 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=50 // dist.get_world_size(), sampler=train_sampler)
test_data = TensorDataset(X[1500:], y[1500:])
test_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
test_loader = DataLoader(test_data, batch_size=100, sampler=test_sampler)
model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(288, 10), nn.LogSoftmax(dim=1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def test(model, loader):
    model.eval()
    test_loss = 0
    correct = 0
    with torch.no_grad():
        for data, target in loader:
            output = model(data)
            test_loss += F.nll_loss(output, target, reduction='sum').item()
            correct += output.argmax(1).eq(target).sum().item()
        totals = torch.tensor([test_loss, correct], dtype=torch.float64)
        dist.all_reduce(totals)
        test_loss, correct = totals[0].item(), int(totals[1])
    test_loss /= len(loader.dataset)
    if dist.get_rank() == 0:
        print('loss {:.4f} accuracy {}/{}'.format(test_loss, correct, len(loader.dataset)))


ddp_model = DistributedDataParallel(model)
for epoch in range(5):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for data, target in train_loader:
        optimizer.zero_grad()
        F.nll_loss(ddp_model(data), target).backward()
        optimizer.step()
    test(model, test_loader)
del ddp_model
dist.destroy_process_group()
