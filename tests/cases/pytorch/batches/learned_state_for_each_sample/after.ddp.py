"""A recurrent network begins with one learned state, which is expanded to all samples by a tuple."""

import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


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
        counted = (targets.view(-1) != -1).sum()
        dist.all_reduce(counted)
        counted = counted / dist.get_world_size()
        return F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1, reduction="sum") / counted


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randint(0, 9, (64, 7)), torch.randint(0, 9, (64, 7)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(
    loader_data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(loader_data)
)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for x, y in loader:
    loss = ddp_model(x, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
del ddp_model
dist.destroy_process_group()
