"""Two optimizers step one model, one after the other: Horovod wraps neither of them."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


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
        hvd.grouped_allreduce_(
            [p_.grad for group in optimizer.param_groups for p_ in group["params"] if p_.grad is not None]
        )
        optimizer.step()
        running += loss.item()
    total = hvd.allreduce(torch.tensor(running, dtype=torch.float64), op=hvd.Sum)
    running = total.item() / hvd.size()
    return running / len(loader)


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 4)
    y = (x[:, 0] > 0).long()
    loader_data = TensorDataset(x, y)
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
    model = Net()
    criterion = nn.CrossEntropyLoss()
    for p in model.features.parameters():
        p.requires_grad = False
    optimizer = torch.optim.Adam(model.head.parameters(), lr=0.01)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(2):
        train_epoch_result = train_epoch(model, loader, criterion, optimizer)
        if hvd.rank() == 0:
            print("head", epoch, train_epoch_result)
    for p in model.features.parameters():
        p.requires_grad = True
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    for epoch in range(2):
        train_epoch_result = train_epoch(model, loader, criterion, optimizer)
        if hvd.rank() == 0:
            print("all", epoch, train_epoch_result)
    if hvd.rank() == 0:
        torch.save(model.state_dict(), "model.pt")


hvd.init()
main()
hvd.shutdown()
