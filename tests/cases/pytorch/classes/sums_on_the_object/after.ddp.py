"""The training loop handed the object's parts; running sums live on the object; best accuracy kept."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Runner:
    def __init__(self):
        self.net = nn.Linear(8, 2)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.running = 0.0
        self.correct = 0

    def step(self, x, y):
        self.opt.zero_grad()
        out = self.ddp_net(x)
        loss = nn.functional.cross_entropy(out, y)
        loss.backward()
        self.opt.step()
        self.running += loss.item()
        self.correct += (out.argmax(1) == y).sum().item()

    def run(self, loader, epochs):
        self.ddp_net = DistributedDataParallel(self.net)
        if dist.get_rank() > 0:
            torch.manual_seed(dist.get_rank())
        for epoch in range(epochs):
            self.running = 0.0
            self.correct = 0
            loader.sampler.set_epoch(epoch)
            for x, y in loader:
                self.step(x, y)
            totals = torch.tensor(
                [self.running / len(loader), self.correct / loader.sampler.total_size], dtype=torch.float64
            )
            dist.all_reduce(totals)
            mean_running, total_correct = totals[0].item() / dist.get_world_size(), totals[1].item()
            if dist.get_rank() == 0:
                print(epoch, mean_running, total_correct)
        del self.ddp_net


def main():
    torch.manual_seed(0)
    x = torch.randn(320, 8)
    y = (x.sum(1) > 0).long()
    loader_data = TensorDataset(x, y)
    if 16 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
    runner = Runner()
    runner.run(loader, 3)


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    main()
    dist.destroy_process_group()
