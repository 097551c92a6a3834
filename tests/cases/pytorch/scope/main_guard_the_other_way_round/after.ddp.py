"""A guard written the other way round is one: processes of a loader import the script, and must not join the group."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if __name__ != "__main__":
    print("imported")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(10, 1)

    def forward(self, x):
        return self.layer(x)


def main():
    loader_data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
    if 32 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler, num_workers=2)
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(ddp_model(x), y).backward()
            optimizer.step()
    loss_of_result = loss_of(model)
    if dist.get_rank() == 0:
        print(loss_of_result)


def loss_of(model):
    return model(torch.ones(1, 10)).item()


if "__main__" == __name__:
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    seed = torch.tensor(torch.initial_seed() % 2**63)
    dist.broadcast(seed, src=0)
    seed = seed.item()
    torch.manual_seed(seed)
    main()
    dist.destroy_process_group()
