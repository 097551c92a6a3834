"""A network is made of a list of layers for each of several settings, and evaluated after eval(): without noise."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Net(nn.Module):
    def __init__(self, rates):
        super().__init__()
        layers = [nn.Linear(8, 16)]
        for rate in rates:
            layers.append(nn.Dropout(rate))
            layers.append(nn.ReLU())
        layers.append(nn.Linear(16, 4))
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
train_set = TensorDataset(torch.randn(64, 8), torch.randint(0, 4, (64,)))
test_set = TensorDataset(torch.randn(37, 8), torch.randint(0, 4, (37,)))


def test(network, loader):
    network.eval()
    hits = 0
    with torch.no_grad():
        for x, y in loader:
            hits += (network(x).argmax(1) == y).sum().item()
        total = torch.tensor(hits, dtype=torch.float64)
        dist.all_reduce(total)
        hits = int(total)
    if dist.get_rank() == 0:
        print(hits / 37)


def score(rates):
    if 16 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
    train_sampler = DistributedSampler(train_set)
    train_loader = DataLoader(train_set, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
    test_sampler = range(dist.get_rank(), len(test_set), dist.get_world_size())
    test_loader = DataLoader(test_set, batch_size=16, sampler=test_sampler)
    state = torch.get_rng_state()
    dist.broadcast(state, src=0)
    torch.set_rng_state(state)
    network = Net(rates)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    test(network, test_loader)
    ddp_network = DistributedDataParallel(network)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + dist.get_rank())
    for epoch in range(3):
        network.train()
        train_loader.sampler.set_epoch(epoch)
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(ddp_network(x), y).backward()
            optimizer.step()
        test(network, test_loader)


score([0.1])
score([0.2, 0.3])
dist.destroy_process_group()
