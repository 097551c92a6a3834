"""Looks in functions and through aliases get loaders of their own; what is evaluated is still dealt out by samples."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Lab:
    def __init__(self, data, held_out, batch_size):
        if batch_size % hvd.size() != 0:
            raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
        loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank(), drop_last=True)
        self.train_loader = DataLoader(
            data, batch_size=batch_size // hvd.size(), sampler=loader_sampler, drop_last=True
        )
        loader_sampler = range(hvd.rank(), len(held_out), hvd.size())
        self.test_loader = DataLoader(held_out, batch_size=batch_size, sampler=loader_sampler)

    def look(self):
        whole_loader = DataLoader(
            self.train_loader.dataset,
            batch_size=self.train_loader.batch_size * hvd.size(),
            shuffle=True,
            drop_last=True,
        )
        images, labels = next(iter(whole_loader))
        return images.shape, labels.sum().item()


def show(loader, count):
    batches = iter(DataLoader(loader.dataset, batch_size=loader.batch_size * hvd.size(), shuffle=True, drop_last=True))
    for _ in range(count):
        images, labels = next(batches)
        if hvd.rank() == 0:
            print(images[0], labels[0].item())


def test(model, loader):
    model.eval()
    correct = 0
    with torch.no_grad():
        for xb, yb in loader:
            correct += (model(xb).argmax(1) == yb).sum().item()
        total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
        correct = int(total)
    return correct / len(loader.dataset)


hvd.init()
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
lab = Lab(TensorDataset(x[:48], y[:48]), TensorDataset(x[48:], y[48:]), 8)
look_result = lab.look()
if hvd.rank() == 0:
    print(look_result)
show(lab.train_loader, 2)
examples = enumerate(DataLoader(lab.test_loader.dataset, batch_size=lab.test_loader.batch_size))
number, (images, labels) = next(examples)
if hvd.rank() == 0:
    print(number, images.shape, labels)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
opt = hvd.DistributedOptimizer(opt, named_parameters=model.named_parameters())
crit = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    model.train()
    lab.train_loader.sampler.set_epoch(epoch)
    for xb, yb in lab.train_loader:
        opt.zero_grad()
        loss = crit(model(xb), yb)
        loss.backward()
        opt.step()
    test_result = test(model, lab.test_loader)
    if hvd.rank() == 0:
        print(epoch, test_result)
hvd.shutdown()
