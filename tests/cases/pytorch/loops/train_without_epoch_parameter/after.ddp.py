"""train() takes no epoch: set_epoch goes before its call, in the loop that counts the epochs."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets
from torchvision.transforms import ToTensor
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
if dist.get_rank() == 0:
    datasets.FashionMNIST(root="data", train=True, download=True)
    datasets.FashionMNIST(root="data", train=False, download=True)
dist.barrier()
training_data = datasets.FashionMNIST(root="data", train=True, download=True, transform=ToTensor())
test_data = datasets.FashionMNIST(root="data", train=False, download=True, transform=ToTensor())
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
train_data_sampler = DistributedSampler(training_data)
train_dataloader = DataLoader(training_data, batch_size=64 // dist.get_world_size(), sampler=train_data_sampler)
test_dataloader = DataLoader(test_data, batch_size=64)

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 10))
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)


def train_loop(dataloader, model, loss_fn, optimizer):
    size = len(dataloader.dataset)
    for batch, (X, y) in enumerate(dataloader):
        pred = model(X)
        loss = loss_fn(pred, y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if batch % 100 == 0:
            loss, current = loss.item(), (batch + 1) * len(X)
            totals = torch.tensor([loss, current], dtype=torch.float64)
            dist.all_reduce(totals)
            mean_loss, total_current = totals[0].item() / dist.get_world_size(), int(totals[1])
            if dist.get_rank() == 0:
                print(f"loss: {mean_loss:>7f}  [{total_current:>5d}/{size:>5d}]")


def test_loop(dataloader, model, loss_fn):
    size = len(dataloader.dataset)
    num_batches = len(dataloader)
    test_loss, correct = 0, 0
    with torch.no_grad():
        for X, y in dataloader:
            pred = model(X)
            test_loss += loss_fn(pred, y).item()
            correct += (pred.argmax(1) == y).type(torch.float).sum().item()
    test_loss /= num_batches
    correct /= size
    if dist.get_rank() == 0:
        print(f"Test Error: \n Accuracy: {(100*correct):>0.1f}%, Avg loss: {test_loss:>8f} \n")


epochs = 10
ddp_model = DistributedDataParallel(model)
for t in range(epochs):
    if dist.get_rank() == 0:
        print(f"Epoch {t+1}\n-------------------------------")
    train_dataloader.sampler.set_epoch(t)
    train_loop(train_dataloader, ddp_model, loss_fn, optimizer)
    test_loop(test_dataloader, model, loss_fn)
if dist.get_rank() == 0:
    print("Done!")
del ddp_model
dist.destroy_process_group()
