"""Two optimizers step one model, one after the other: Horovod wraps neither of them."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.features(x))


def train_epoch(model, loader, criterion, optimizer):
    model.train()
    running = 0.0
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        running += loss.item()
    total = torch.tensor(running, dtype=torch.float64)
    dist.all_reduce(total)
    running = total.item() / dist.get_world_size()
    return running / len(loader)


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 4)
    y = (x[:, 0] > 0).long()
    loader_data = TensorDataset(x, y)
    if 16 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
    model = Net()
    criterion = nn.CrossEntropyLoss()
    for p in model.features.parameters():
        p.requires_grad = False
    optimizer = torch.optim.Adam(model.head.parameters(), lr=0.01)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(2):
        train_epoch_result = train_epoch(ddp_model, loader, criterion, optimizer)
        if dist.get_rank() == 0:
            print("head", epoch, train_epoch_result)
    for p in model.features.parameters():
        p.requires_grad = True
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    ddp_model = DistributedDataParallel(model)
    for epoch in range(2):
        train_epoch_result = train_epoch(ddp_model, loader, criterion, optimizer)
        if dist.get_rank() == 0:
            print("all", epoch, train_epoch_result)
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "model.pt")


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
main()
dist.destroy_process_group()
