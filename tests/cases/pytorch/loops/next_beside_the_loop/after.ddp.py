"""A loop over one loader takes batches of another one besides."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        drawn = [list(self.sampler)]
        dist.broadcast_object_list(drawn)
        indices = drawn[0]
        end = dist.get_rank() + len(indices)
        return (indices[i % len(indices)] for i in range(dist.get_rank(), end, dist.get_world_size()))

    def __len__(self):
        return (len(self.sampler) + dist.get_world_size() - 1) // dist.get_world_size()


def main():
    x = torch.randn(96, 5)
    y = x.sum(1, keepdim=True)
    source_data = TensorDataset(x, y)
    if 16 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
    source_sampler = DistributedSampler(source_data)
    source = DataLoader(source_data, batch_size=16 // dist.get_world_size(), sampler=source_sampler)
    target_data = TensorDataset(x[:48] + 1)
    if 16 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
    target = DataLoader(
        target_data, batch_size=16 // dist.get_world_size(), sampler=SharedSampler(RandomSampler(target_data))
    )
    model = nn.Linear(5, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    for epoch in range(3):
        others = iter(target)
        source.sampler.set_epoch(epoch)
        for i, (inputs, targets) in enumerate(source):
            try:
                (shifted,) = next(others)
            except StopIteration:
                others = iter(target)
                (shifted,) = next(others)
            loss = F.mse_loss(ddp_model(inputs), targets) + ddp_model(shifted).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    seed = torch.tensor(torch.initial_seed() % 2**63)
    dist.broadcast(seed, src=0)
    seed = seed.item()
    torch.manual_seed(seed)
    main()
    dist.destroy_process_group()
