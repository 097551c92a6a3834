"""An autoencoder is trained by its methods encode and decode, in a function; evaluation calls the model."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 16), nn.ReLU(), nn.Linear(16, 4))
        self.decoder = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 64))

    def encode(self, x):
        return self.encoder(x)

    def decode(self, code):
        return self.decoder(code)

    def forward(self, x):
        return self.decode(self.encode(x))


def train_one_epoch(net, loader, optimizer):
    net.train()
    total = 0.0
    for (x,) in loader:
        code = net.encode(x)
        loss = F.mse_loss(net.decode(code), x) + 1e-3 * code.pow(2).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer.step()
        total += loss.item() * len(x)
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item()
    return total / loader.sampler.total_size


def evaluate(net, loader):
    net.eval()
    total = 0.0
    with torch.no_grad():
        for (x,) in loader:
            total += F.mse_loss(net(x), x, reduction="sum").item()
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item()
    return total / len(loader.dataset)


def main():
    torch.manual_seed(0)
    train_set, test_set = TensorDataset(torch.rand(256, 64)), TensorDataset(torch.rand(64, 64))
    if 32 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
    train_sampler = DistributedSampler(train_set)
    train_loader = DataLoader(train_set, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
    test_sampler = range(dist.get_rank(), len(test_set), dist.get_world_size())
    test_loader = DataLoader(test_set, batch_size=64, sampler=test_sampler)
    model = AutoEncoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for tensor in [*model.parameters(), *model.buffers()]:
        dist.broadcast(tensor.data, src=0)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(4):
        train_loader.sampler.set_epoch(epoch)
        train_one_epoch_result = train_one_epoch(model, train_loader, optimizer)
        evaluate_result = evaluate(model, test_loader)
        if dist.get_rank() == 0:
            print(epoch, train_one_epoch_result, evaluate_result)
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "autoencoder.pt")


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    main()
    dist.destroy_process_group()
