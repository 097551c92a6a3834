"""The step itself is a helper that takes one batch and returns its loss; the loops stay outside."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def train_step(model, optimizer, batch):
    x, y = batch
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def main():
    x = torch.rand(900, 2)
    y = (x[:, :1] * x[:, 1:]).sqrt()
    loader_data = TensorDataset(x, y)
    if 45 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 45 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=45 // dist.get_world_size(), sampler=loader_sampler)
    model = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    for epoch in range(10):
        epoch_loss = 0.0
        loader.sampler.set_epoch(epoch)
        for batch in loader:
            epoch_loss += train_step(ddp_model, optimizer, batch)
        total = torch.tensor(epoch_loss, dtype=torch.float64)
        dist.all_reduce(total)
        epoch_loss = total.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            print(f"{epoch:3d} {epoch_loss / len(loader):.5f}")


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
main()
dist.destroy_process_group()
