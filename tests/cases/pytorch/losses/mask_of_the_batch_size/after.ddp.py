"""A mask that is made for the batch size before training."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class NTXent(nn.Module):
    def __init__(self, batch_size, temperature):
        super().__init__()
        self.batch_size = batch_size
        self.temperature = temperature
        self.mask = self.correlated(batch_size)
        self.criterion = nn.CrossEntropyLoss(reduction="sum")

    def correlated(self, batch_size):
        n = 2 * batch_size
        mask = torch.ones((n, n), dtype=bool)
        mask = mask.fill_diagonal_(0)
        for i in range(batch_size):
            mask[i, batch_size + i] = 0
            mask[batch_size + i, i] = 0
        return mask

    def forward(self, z_i, z_j):
        n = 2 * self.batch_size
        z = torch.cat((z_i, z_j), dim=0)
        sim = F.cosine_similarity(z.unsqueeze(1), z.unsqueeze(0), dim=2) / self.temperature
        sim_i_j = torch.diag(sim, self.batch_size)
        sim_j_i = torch.diag(sim, -self.batch_size)
        positive = torch.cat((sim_i_j, sim_j_i), dim=0).reshape(n, 1)
        negative = sim[self.mask].reshape(n, -1)
        labels = torch.zeros(n).to(positive.device).long()
        logits = torch.cat((positive, negative), dim=1)
        return self.criterion(logits, labels) / n


class GatherBatch(torch.autograd.Function):
    @staticmethod
    def forward(ctx, values):
        values = values.contiguous()
        shards = [torch.empty_like(values) for _ in range(dist.get_world_size())]
        dist.all_gather(shards, values)
        return torch.stack(shards, dim=1).flatten(0, 1)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        total = gradient.contiguous().clone()
        dist.all_reduce(total)
        return total[dist.get_rank() :: dist.get_world_size()]


def gather_batch(values):
    return GatherBatch.apply(values)


def main():
    torch.manual_seed(0)
    batch_size = 32
    images = torch.rand(1797, 64)
    loader_data = TensorDataset(images, images.flip(1))
    if batch_size % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data, drop_last=True)
    loader = DataLoader(
        loader_data, batch_size=batch_size // dist.get_world_size(), sampler=loader_sampler, drop_last=True
    )
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 16))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = NTXent(batch_size, 0.5)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(2):
        total = 0
        loader.sampler.set_epoch(epoch)
        for x_i, x_j in loader:
            optimizer.zero_grad()
            z_i, z_j = ddp_model(x_i), ddp_model(x_j)
            loss = criterion(gather_batch(z_i), gather_batch(z_j))
            loss.backward()
            optimizer.step()
            total += loss.item()
        if dist.get_rank() == 0:
            print(epoch, total / len(loader))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
main()
dist.destroy_process_group()
