"""A penalty on gradients with respect to mixed samples: each is that of its sample, so the loss is a mean."""
import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch import autograd
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(3)
np.random.seed(3)
images = torch.tensor(load_digits().data[:640] / 8 - 1, dtype=torch.float32)
loader_data = TensorDataset(images)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
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


hvd.broadcast_parameters(generator.state_dict(), root_rank=0)
hvd.broadcast_parameters(critic.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(3 + hvd.rank())
    np.random.seed(3 + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for i, (batch,) in enumerate(loader):
        optimizer_c.zero_grad()
        z = torch.randn(batch.size(0), 12)
        made = generator(z)
        loss_c = -critic(batch).mean() + critic(made.detach()).mean() + 10 * penalty(critic, batch.data, made.data)
        loss_c.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer_c.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer_c.step()

        optimizer_g.zero_grad()
        if i % 5 == 0:
            loss_g = -critic(generator(z)).mean()
            loss_g.backward()
            hvd.grouped_allreduce_(
                [p.grad for group in optimizer_g.param_groups for p in group["params"] if p.grad is not None]
            )
            optimizer_g.step()
    if hvd.rank() == 0:
        torch.save(generator.state_dict(), "generator.pt")
hvd.shutdown()
