"""A model with batch normalisation is trained by one of its methods, and evaluated after each epoch."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(20, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 5))

    def forward(self, x):
        return F.log_softmax(self.layers(x), dim=1)

    def compute_loss(self, x, y):
        return F.nll_loss(self(x), y)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(320, 20), torch.randint(0, 5, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(train_data) - 1) % 32 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
test_data = TensorDataset(torch.randn(64, 20), torch.randint(0, 5, (64,)))
test_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for tensor in [*model.parameters(), *model.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        loss = model.compute_loss(x, y)
        optimizer.zero_grad()
        loss.backward()
        for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer.step()
    for buffer in model.buffers():
        dist.broadcast(buffer, src=0)
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
        total = torch.tensor(correct, dtype=torch.float64)
        dist.all_reduce(total)
        correct = int(total)
    if dist.get_rank() == 0:
        print(epoch, correct / len(test_loader.dataset))
dist.destroy_process_group()
