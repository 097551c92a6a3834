"""An option decides what the model gives, and in what way it is called: each call gives one thing."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Forecaster(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.give_attention = config.give_attention
        self.ahead = config.ahead
        self.score = nn.Linear(4, 1)
        self.head = nn.Linear(4, 4)

    def forward(self, x):
        attention = torch.softmax(self.score(x), dim=1)
        outputs = self.head(x + (attention * x).sum(dim=1, keepdim=True))[:, -self.ahead :, :]
        if self.give_attention:
            return outputs, attention
        return outputs


def forecast(config, model, x, y):
    filling = torch.zeros([y.shape[0], config.ahead, y.shape[-1]])
    x = torch.cat([x, filling], dim=1)
    if config.give_attention:
        outputs = model(x)[0]
    else:
        outputs = model(x)
    return outputs


def errors(config, model, loader, criterion):
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            outputs = forecast(config, model, x, y)
            total += criterion(outputs, y).item() * len(y)
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item()
    return total / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--ahead", type=int, default=3)
    parser.add_argument("--give-attention", action="store_true")
    config = parser.parse_args()

    torch.manual_seed(3)
    rows = TensorDataset(torch.randn(64, 6, 4), torch.randn(64, 3, 4))
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(rows, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(rows, batch_size=16 // hvd.size(), sampler=loader_sampler)
    held_out_data = TensorDataset(torch.randn(20, 6, 4), torch.randn(20, 3, 4))
    held_out_sampler = range(hvd.rank(), len(held_out_data), hvd.size())
    held_out = DataLoader(held_out_data, batch_size=16, sampler=held_out_sampler)
    model = Forecaster(config)
    criterion = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(3 + hvd.rank())
    for epoch in range(config.epochs):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            loss = criterion(forecast(config, model, x, y), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        errors_result = errors(config, model, held_out, criterion)
        if hvd.rank() == 0:
            print(f"epoch {epoch}: {errors_result:.4f}")


if __name__ == "__main__":
    hvd.init()
    main()
    hvd.shutdown()
