"""An autoencoder is trained by its methods encode and decode, in a function; evaluation calls the model."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


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
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
        total += loss.item() * len(x)
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item()
    return total / loader.sampler.total_size


def evaluate(net, loader):
    net.eval()
    total = 0.0
    with torch.no_grad():
        for (x,) in loader:
            total += F.mse_loss(net(x), x, reduction="sum").item()
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item()
    return total / len(loader.dataset)


def main():
    torch.manual_seed(0)
    train_set, test_set = TensorDataset(torch.rand(256, 64)), TensorDataset(torch.rand(64, 64))
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    train_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
    train_loader = DataLoader(train_set, batch_size=32 // hvd.size(), sampler=train_sampler)
    test_sampler = range(hvd.rank(), len(test_set), hvd.size())
    test_loader = DataLoader(test_set, batch_size=64, sampler=test_sampler)
    model = AutoEncoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(4):
        train_loader.sampler.set_epoch(epoch)
        train_one_epoch_result = train_one_epoch(model, train_loader, optimizer)
        evaluate_result = evaluate(model, test_loader)
        if hvd.rank() == 0:
            print(epoch, train_one_epoch_result, evaluate_result)
    if hvd.rank() == 0:
        torch.save(model.state_dict(), "autoencoder.pt")


if __name__ == "__main__":
    hvd.init()
    main()
    hvd.shutdown()
