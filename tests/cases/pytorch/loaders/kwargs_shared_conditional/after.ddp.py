"""One **kwargs expression, shared by both loaders, sets workers only; batch size and shuffle stand beside it."""
import torch
import torch.nn as nn
import torch.optim as optim
from torchvision import datasets, transforms
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
use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
kwargs = {'num_workers': 1, 'pin_memory': True} if use_cuda else {}
if dist.get_rank() == 0:
    datasets.MNIST('../data', train=True, download=True)
dist.barrier()
train_data = datasets.MNIST('../data', train=True, download=True,
    transform=transforms.Compose([
        transforms.ToTensor(),
        transforms.Normalize((0.1307,), (0.3081,))
    ]))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
train_loader = torch.utils.data.DataLoader(
    train_data,
    batch_size=64 // dist.get_world_size(), sampler=DistributedSampler(train_data), **kwargs)
test_data = datasets.MNIST('../data', train=False, transform=transforms.Compose([
        transforms.ToTensor(),
        transforms.Normalize((0.1307,), (0.3081,))
    ]))
test_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
test_loader = torch.utils.data.DataLoader(
    test_data,
    batch_size=1000, sampler=test_sampler, **kwargs)

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10)).to(device)
optimizer = optim.SGD(model.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()

ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for data, target in train_loader:
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        criterion(ddp_model(data), target).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for data, target in test_loader:
            pred = model(data.to(device)).argmax(dim=1)
            hits += pred.eq(target.to(device)).sum().item()
        total = torch.tensor(hits, dtype=torch.float64)
        dist.all_reduce(total)
        hits = int(total)
    if dist.get_rank() == 0:
        print(f'epoch {epoch} accuracy {hits / len(test_loader.dataset):.4f}')
del ddp_model
dist.destroy_process_group()
