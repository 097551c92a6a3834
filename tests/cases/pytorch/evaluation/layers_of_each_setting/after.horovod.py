"""A network is made of a list of layers for each of several settings, and evaluated after eval(): without noise."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


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


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
train_set = TensorDataset(torch.randn(64, 8), torch.randint(0, 4, (64,)))
test_set = TensorDataset(torch.randn(37, 8), torch.randint(0, 4, (37,)))


def test(network, loader):
    network.eval()
    hits = 0
    with torch.no_grad():
        for x, y in loader:
            hits += (network(x).argmax(1) == y).sum().item()
        total = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
        hits = int(total)
    if hvd.rank() == 0:
        print(hits / 37)


def score(rates):
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    train_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
    train_loader = DataLoader(train_set, batch_size=16 // hvd.size(), sampler=train_sampler)
    test_sampler = range(hvd.rank(), len(test_set), hvd.size())
    test_loader = DataLoader(test_set, batch_size=16, sampler=test_sampler)
    torch.set_rng_state(hvd.broadcast(torch.get_rng_state(), root_rank=0))
    network = Net(rates)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=network.named_parameters())
    test(network, test_loader)
    hvd.broadcast_parameters(network.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + hvd.rank())
    for epoch in range(3):
        network.train()
        train_loader.sampler.set_epoch(epoch)
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(network(x), y).backward()
            optimizer.step()
        test(network, test_loader)


score([0.1])
score([0.2, 0.3])
hvd.shutdown()
