"""How often a critic is trained on each batch is an option, and the generator is trained on what was generated last."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=5)
args = parser.parse_args()
SIZE = 16
data = TensorDataset(torch.randn(256, 8))
if SIZE % hvd.size() != 0:
    raise SystemExit(f"batch size {SIZE} cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=SIZE // hvd.size(), sampler=loader_sampler)
generator = nn.Linear(4, 8)
critic = nn.Linear(8, 1)
of_generator = torch.optim.RMSprop(generator.parameters(), lr=5e-5)
of_critic = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
hvd.broadcast_parameters(generator.state_dict(), root_rank=0)
hvd.broadcast_parameters(critic.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for (real,) in loader:
        for _ in range(args.rounds):
            fake = generator(torch.randn(len(real), 4))
            loss_critic = critic(fake).mean() - critic(real).mean()
            critic.zero_grad()
            loss_critic.backward(retain_graph=True)
            hvd.grouped_allreduce_(
                [p.grad for group in of_critic.param_groups for p in group["params"] if p.grad is not None]
            )
            of_critic.step()
        loss_generator = -critic(fake).mean()
        generator.zero_grad()
        loss_generator.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in of_generator.param_groups for p in group["params"] if p.grad is not None]
        )
        of_generator.step()
hvd.shutdown()
