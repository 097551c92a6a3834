"""The training loop handed the object's parts; running sums live on the object; best accuracy kept."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Runner:
    def __init__(self):
        self.net = nn.Linear(8, 2)
        self.opt = hvd.DistributedOptimizer(
            torch.optim.SGD(self.net.parameters(), lr=0.1), named_parameters=self.net.named_parameters()
        )
        self.running = 0.0
        self.correct = 0

    def step(self, x, y):
        self.opt.zero_grad()
        out = self.net(x)
        loss = nn.functional.cross_entropy(out, y)
        loss.backward()
        self.opt.step()
        self.running += loss.item()
        self.correct += (out.argmax(1) == y).sum().item()

    def run(self, loader, epochs):
        hvd.broadcast_parameters(self.net.state_dict(), root_rank=0)
        if hvd.rank() > 0:
            torch.manual_seed(hvd.rank())
        for epoch in range(epochs):
            self.running = 0.0
            self.correct = 0
            loader.sampler.set_epoch(epoch)
            for x, y in loader:
                self.step(x, y)
            totals = hvd.allreduce(
                torch.tensor(
                    [self.running / len(loader), self.correct / loader.sampler.total_size], dtype=torch.float64
                ),
                op=hvd.Sum,
            )
            mean_running, total_correct = totals[0].item() / hvd.size(), totals[1].item()
            if hvd.rank() == 0:
                print(epoch, mean_running, total_correct)


def main():
    torch.manual_seed(0)
    x = torch.randn(320, 8)
    y = (x.sum(1) > 0).long()
    loader_data = TensorDataset(x, y)
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
    runner = Runner()
    runner.run(loader, 3)


if __name__ == "__main__":
    hvd.init()
    main()
    hvd.shutdown()
