"""A critic is trained five times on each batch, and the generator on what was generated last: of this batch, not another."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
SIZE, ROUNDS = 16, 5
data = TensorDataset(torch.randn(256, 8))
if SIZE % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {SIZE} cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=SIZE // dist.get_world_size(), sampler=DistributedSampler(data))
generator = nn.Linear(4, 8)
critic = nn.Linear(8, 1)
of_generator = torch.optim.RMSprop(generator.parameters(), lr=5e-5)
of_critic = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
for tensor in [*generator.parameters(), *generator.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*critic.parameters(), *critic.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for (real,) in loader:
        for _ in range(ROUNDS):
            fake = generator(torch.randn(len(real), 4))
            loss_critic = critic(fake).mean() - critic(real).mean()
            critic.zero_grad()
            loss_critic.backward(retain_graph=True)
            for parameter in [p for group in of_critic.param_groups for p in group["params"]]:
                if parameter.grad is not None:
                    dist.all_reduce(parameter.grad)
                    parameter.grad /= dist.get_world_size()
            of_critic.step()
        loss_generator = -critic(fake).mean()
        generator.zero_grad()
        loss_generator.backward()
        for parameter in [p for group in of_generator.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        of_generator.step()
dist.destroy_process_group()
