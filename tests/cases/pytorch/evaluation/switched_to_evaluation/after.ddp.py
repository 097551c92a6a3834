"""eval() reaches the layers in lists and dropout by function: what is measured is equal everywhere, and may decide."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return x + self.drop(F.relu(self.linear(x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(6) for _ in range(3)])
        self.rnn = nn.GRU(6, 8, num_layers=2, dropout=0.2, batch_first=True)
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        states, _ = self.rnn(x.unsqueeze(1))
        return self.out(F.dropout(states[:, -1], p=0.3, training=self.training))


def validate(model, x, y):
    model.eval()
    with torch.no_grad():
        return F.cross_entropy(model(x), y).item()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
X, Y = torch.randn(400, 6), torch.randint(0, 2, (400,))
loader_data = TensorDataset(X[:320], Y[:320])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)


def from_rank_0(value):
    values = [value]
    dist.broadcast_object_list(values)
    return values[0]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    model.train()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(ddp_model(x), y)
        loss.backward()
        optimizer.step()
    val_loss = validate(model, X[320:], Y[320:])
    scheduler.step(from_rank_0(val_loss))
    if dist.get_rank() == 0:
        print(epoch, val_loss)
del ddp_model
dist.destroy_process_group()
