"""A recurrent network begins with one learned state, which is expanded to all samples by a tuple."""

import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Linear(8 + 6, 6)

    def forward(self, xt, hprev):
        xh = torch.cat([xt, hprev], dim=1)
        return F.tanh(self.w(xh))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.start = nn.Parameter(torch.zeros(1, 6))
        self.e = nn.Embedding(9, 8)
        self.cell = Cell()
        self.fc = nn.Linear(6, 9)

    def forward(self, idx, targets):
        b, t = idx.size()
        emb = self.e(idx)
        hprev = self.start.expand((b, -1))
        hiddens = []
        for i in range(t):
            xt = emb[:, i, :]
            ht = self.cell(xt, hprev)
            hprev = ht
            hiddens.append(ht)
        hidden = torch.stack(hiddens, 1)
        logits = self.fc(hidden)
        counted = hvd.allreduce((targets.view(-1) != -1).sum(), op=hvd.Sum)
        counted = counted / hvd.size()
        return F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1, reduction="sum") / counted


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randint(0, 9, (64, 7)), torch.randint(0, 9, (64, 7)))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(
    loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler
)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for x, y in loader:
    loss = model(x, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
hvd.shutdown()
