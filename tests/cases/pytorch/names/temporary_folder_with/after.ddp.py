"""The best weights are kept in a temporary folder: all take rank 0's, which is removed when all have read."""

import os
from tempfile import TemporaryDirectory

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def train_model(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with TemporaryDirectory() as folder:
        shared = [folder]
        dist.broadcast_object_list(shared)
        folder = shared[0]
        path = os.path.join(folder, "best.pt")
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), path)
        best = 1e9
        ddp_model = DistributedDataParallel(model)
        if dist.get_rank() > 0:
            torch.manual_seed(dist.get_rank())
        for epoch in range(epochs):
            total = 0.0
            loader.sampler.set_epoch(epoch)
            for x, y in loader:
                optimizer.zero_grad()
                loss = nn.functional.cross_entropy(ddp_model(x), y)
                loss.backward()
                optimizer.step()
                total += loss.item() * len(x)
            total_ = torch.tensor(total, dtype=torch.float64)
            dist.all_reduce(total_)
            total = total_.item()
            if total < best:
                best = total
                if dist.get_rank() == 0:
                    torch.save(model.state_dict(), path)
        dist.barrier()
        model.load_state_dict(torch.load(path))
        dist.barrier()
    return model


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(320, 6)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = train_model(nn.Linear(6, 2), loader, 2)
if dist.get_rank() == 0:
    print("bias", model.bias.sum().item())
dist.destroy_process_group()
