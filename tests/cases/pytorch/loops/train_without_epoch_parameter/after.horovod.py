"""train() takes no epoch: set_epoch goes before its call, in the loop that counts the epochs."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets
from torchvision.transforms import ToTensor
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if hvd.rank() == 0:
    datasets.FashionMNIST(root="data", train=True, download=True)
    datasets.FashionMNIST(root="data", train=False, download=True)
hvd.barrier()
training_data = datasets.FashionMNIST(root="data", train=True, download=True, transform=ToTensor())
test_data = datasets.FashionMNIST(root="data", train=False, download=True, transform=ToTensor())
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
train_data_sampler = DistributedSampler(training_data, num_replicas=hvd.size(), rank=hvd.rank())
train_dataloader = DataLoader(training_data, batch_size=64 // hvd.size(), sampler=train_data_sampler)
test_dataloader = DataLoader(test_data, batch_size=64)

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 10))
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


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
            totals = hvd.allreduce(torch.tensor([loss, current], dtype=torch.float64), op=hvd.Sum)
            mean_loss, total_current = totals[0].item() / hvd.size(), int(totals[1])
            if hvd.rank() == 0:
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
    if hvd.rank() == 0:
        print(f"Test Error: \n Accuracy: {(100*correct):>0.1f}%, Avg loss: {test_loss:>8f} \n")


epochs = 10
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for t in range(epochs):
    if hvd.rank() == 0:
        print(f"Epoch {t+1}\n-------------------------------")
    train_dataloader.sampler.set_epoch(t)
    train_loop(train_dataloader, model, loss_fn, optimizer)
    test_loop(test_dataloader, model, loss_fn)
if hvd.rank() == 0:
    print("Done!")
hvd.shutdown()
