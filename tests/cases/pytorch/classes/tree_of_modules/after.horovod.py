"""A module that holds modules of its own class, down to a depth."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Block(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.linear = nn.Linear(inside, outside)

    def forward(self, x):
        return F.relu(self.linear(x))


class Tree(nn.Module):
    def __init__(self, block, inside, outside, level=1):
        super().__init__()
        self.root = nn.Linear(2 * outside, outside)
        if level == 1:
            self.left = block(inside, outside)
            self.right = block(outside, outside)
        else:
            self.left = Tree(block, inside, outside, level=level - 1)
            self.right = Tree(block, outside, outside, level=level - 1)

    def forward(self, x):
        left = self.left(x)
        right = self.right(left)
        return self.root(torch.cat([left, right], 1))


class Net(nn.Module):
    def __init__(self, block=Block):
        super().__init__()
        self.tree = Tree(block, 10, 16, level=3)
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        out = self.tree(x)
        return self.head(out.view(out.size(0), -1))


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(640, 10), torch.randint(3, (640,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = Net()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
    mean_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_loss)
hvd.shutdown()
