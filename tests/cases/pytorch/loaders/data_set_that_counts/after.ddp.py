"""What a data set and its transform note when they are asked is of the samples of one process."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

class Jitter:
    def __init__(self):
        self.calls = 0
    def __call__(self, x):
        self.calls += 1
        return x + 0.01

class Set(Dataset):
    def __init__(self, n, transform):
        self.x = torch.randn(n, 4)
        self.y = (self.x.sum(1) > 0).long()
        self.transform = transform
        self.order = []
        self.seen = 0
        self.name = "set"
    def __len__(self):
        return len(self.x)
    def _note(self, i):
        self.order.append(i)
        self.seen = self.seen + 1
    def __getitem__(self, i):
        self._note(i)
        return self.transform(self.x[i]), self.y[i]

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
jitter = Jitter()
train, test = Set(64, jitter), Set(32, Jitter())
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(train, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(train))
test_loader = DataLoader(test, batch_size=16)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train.seen = 0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        opt.zero_grad(); loss.backward(); opt.step()
    if dist.get_rank() == 0:
        print(epoch, train.seen, train.name)
        print("order", train.order[:3], len(train))
        print("jitter", jitter.calls)
del ddp_model
dist.destroy_process_group()
