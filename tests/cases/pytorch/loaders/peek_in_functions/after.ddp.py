"""Looks in functions and through aliases get loaders of their own; what is evaluated is still dealt out by samples."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Lab:
    def __init__(self, data, held_out, batch_size):
        if batch_size % dist.get_world_size() != 0:
            raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
        loader_sampler = DistributedSampler(data, drop_last=True)
        self.train_loader = DataLoader(
            data, batch_size=batch_size // dist.get_world_size(), sampler=loader_sampler, drop_last=True
        )
        loader_sampler = range(dist.get_rank(), len(held_out), dist.get_world_size())
        self.test_loader = DataLoader(held_out, batch_size=batch_size, sampler=loader_sampler)

    def look(self):
        whole_loader = DataLoader(
            self.train_loader.dataset,
            batch_size=self.train_loader.batch_size * dist.get_world_size(),
            shuffle=True,
            drop_last=True,
        )
        images, labels = next(iter(whole_loader))
        return images.shape, labels.sum().item()


def show(loader, count):
    whole_loader = DataLoader(
        loader.dataset, batch_size=loader.batch_size * dist.get_world_size(), shuffle=True, drop_last=True
    )
    batches = iter(whole_loader)
    for _ in range(count):
        images, labels = next(batches)
        if dist.get_rank() == 0:
            print(images[0], labels[0].item())


def test(model, loader):
    model.eval()
    correct = 0
    with torch.no_grad():
        for xb, yb in loader:
            correct += (model(xb).argmax(1) == yb).sum().item()
        total = torch.tensor(correct, dtype=torch.float64)
        dist.all_reduce(total)
        correct = int(total)
    return correct / len(loader.dataset)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
lab = Lab(TensorDataset(x[:48], y[:48]), TensorDataset(x[48:], y[48:]), 8)
look_result = lab.look()
if dist.get_rank() == 0:
    print(look_result)
show(lab.train_loader, 2)
examples = enumerate(DataLoader(lab.test_loader.dataset, batch_size=lab.test_loader.batch_size))
number, (images, labels) = next(examples)
if dist.get_rank() == 0:
    print(number, images.shape, labels)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    model.train()
    lab.train_loader.sampler.set_epoch(epoch)
    for xb, yb in lab.train_loader:
        opt.zero_grad()
        loss = crit(ddp_model(xb), yb)
        loss.backward()
        opt.step()
    test_result = test(model, lab.test_loader)
    if dist.get_rank() == 0:
        print(epoch, test_result)
del ddp_model
dist.destroy_process_group()
