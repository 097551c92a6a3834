"""A layer that was switched by itself does not follow the model it is a part of: which of the two is not told apart."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.hidden = nn.Linear(8, width)
        self.drop = nn.Dropout(0.5)
        self.out = nn.Linear(width, 2)

    def forward(self, x):
        return self.out(self.drop(F.relu(self.hidden(x))))


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=64 // hvd.size(), sampler=loader_sampler)
held_out_data = TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,)))
held_out_sampler = range(hvd.rank(), len(held_out_data), hvd.size())
held_out = DataLoader(held_out_data, batch_size=50, sampler=held_out_sampler)
teacher = Net(64)
teacher.load_state_dict(torch.load("teacher.pt"))
teacher.eval()
model = Net(16)
model.drop.train()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    model.train()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        with torch.no_grad():
            soft = teacher(x)
        out = model(x)
        loss = F.cross_entropy(out, y) + F.mse_loss(out, soft)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    model.drop.train()
    held = 0.0
    with torch.no_grad():
        for x, y in held_out:
            held += F.cross_entropy(model(x), y, reduction="sum").item()
        total = hvd.allreduce(torch.tensor(held, dtype=torch.float64), op=hvd.Sum)
        held = total.item()
    plateau.step(held / 99)
    if hvd.rank() == 0:
        print(epoch, held / 99)
hvd.shutdown()
