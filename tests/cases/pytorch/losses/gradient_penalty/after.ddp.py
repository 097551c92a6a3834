"""A penalty on gradients with respect to mixed samples: each is that of its sample, so the loss is a mean."""
import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch import autograd
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(3)
np.random.seed(3)
images = torch.tensor(load_digits().data[:640] / 8 - 1, dtype=torch.float32)
loader_data = TensorDataset(images)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
generator = nn.Sequential(nn.Linear(12, 48), nn.LeakyReLU(0.2), nn.Linear(48, 64), nn.Tanh())
critic = nn.Sequential(nn.Linear(64, 48), nn.LeakyReLU(0.2), nn.Linear(48, 1))
optimizer_g = torch.optim.SGD(generator.parameters(), lr=0.05)
optimizer_c = torch.optim.SGD(critic.parameters(), lr=0.05)


def penalty(model, real, made):
    share = torch.FloatTensor(np.random.random((real.size(0), 1)))
    between = (share * real + (1 - share) * made).requires_grad_(True)
    score = model(between)
    gradients = autograd.grad(
        outputs=score,
        inputs=between,
        grad_outputs=torch.ones(score.size()),
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )[0]
    gradients = gradients.view(gradients.size(0), -1)
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean()


for tensor_ in [*generator.parameters(), *generator.buffers()]:
    dist.broadcast(tensor_.data, src=0)
for tensor_ in [*critic.parameters(), *critic.buffers()]:
    dist.broadcast(tensor_.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(3 + dist.get_rank())
    np.random.seed(3 + dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for i, (batch,) in enumerate(loader):
        optimizer_c.zero_grad()
        z = torch.randn(batch.size(0), 12)
        made = generator(z)
        loss_c = -critic(batch).mean() + critic(made.detach()).mean() + 10 * penalty(critic, batch.data, made.data)
        loss_c.backward()
        for parameter in [p for group in optimizer_c.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer_c.step()

        optimizer_g.zero_grad()
        if i % 5 == 0:
            loss_g = -critic(generator(z)).mean()
            loss_g.backward()
            for parameter in [p for group in optimizer_g.param_groups for p in group["params"]]:
                if parameter.grad is not None:
                    dist.all_reduce(parameter.grad)
                    parameter.grad /= dist.get_world_size()
            optimizer_g.step()
    if dist.get_rank() == 0:
        torch.save(generator.state_dict(), "generator.pt")
dist.destroy_process_group()
