"""One **kwargs expression, shared by both loaders, sets workers only; batch size and shuffle stand beside it."""
import torch
import torch.nn as nn
import torch.optim as optim
from torchvision import datasets, transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
kwargs = {'num_workers': 1, 'pin_memory': True} if use_cuda else {}
if hvd.rank() == 0:
    datasets.MNIST('../data', train=True, download=True)
hvd.barrier()
train_data = datasets.MNIST('../data', train=True, download=True,
    transform=transforms.Compose([
        transforms.ToTensor(),
        transforms.Normalize((0.1307,), (0.3081,))
    ]))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = torch.utils.data.DataLoader(
    train_data,
    batch_size=64 // hvd.size(), sampler=train_sampler, **kwargs)
test_data = datasets.MNIST('../data', train=False, transform=transforms.Compose([
        transforms.ToTensor(),
        transforms.Normalize((0.1307,), (0.3081,))
    ]))
test_loader = torch.utils.data.DataLoader(
    test_data,
    batch_size=1000, sampler=range(hvd.rank(), len(test_data), hvd.size()), **kwargs)

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10)).to(device)
optimizer = optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for data, target in train_loader:
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        criterion(model(data), target).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for data, target in test_loader:
            pred = model(data.to(device)).argmax(dim=1)
            hits += pred.eq(target.to(device)).sum().item()
        total = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
        hits = int(total)
    if hvd.rank() == 0:
        print(f'epoch {epoch} accuracy {hits / len(test_loader.dataset):.4f}')
hvd.shutdown()
