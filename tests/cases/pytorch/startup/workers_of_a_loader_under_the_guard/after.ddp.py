"""Nothing but definitions stands in front of the guard: workers may import the file."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def make_loader():
    features = torch.randn(64, 4)
    data = TensorDataset(features, (features[:, 0] > 0).long())
    if 16 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
    return DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(data, drop_last=True), num_workers=2, drop_last=True)


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    loader = make_loader()
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for inputs, labels in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(ddp_model(inputs), labels).backward()
            optimizer.step()
    del ddp_model
    dist.destroy_process_group()
