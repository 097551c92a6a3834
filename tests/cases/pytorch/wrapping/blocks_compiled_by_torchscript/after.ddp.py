"""A model of blocks that TorchScript compiles, which leave their layers out by chance."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Block(torch.jit.ScriptModule):
    def __init__(self, kept, width):
        super().__init__()
        self.kept = kept
        self.inner = nn.Sequential(nn.Linear(width, width), nn.ReLU())
        self.around = nn.Sequential()

    def is_kept(self):
        drawn = torch.bernoulli(torch.tensor(self.kept).float())
        return torch.equal(drawn, torch.tensor(1).float().to(drawn.device))

    @torch.jit.script_method
    def forward(self, x):
        if self.training:
            if self.is_kept():
                x = self.inner(x) + self.around(x)
            else:
                x = self.around(x)
        else:
            x = self.inner(x) * self.kept + self.around(x)
        return x


class Net(nn.Module):
    def __init__(self, block, kept):
        super().__init__()
        self.body = self.blocks_of(block, kept)
        self.head = nn.Linear(8, 3)

    def blocks_of(self, block, kept):
        return nn.Sequential(*[block(each, 8) for each in kept])

    def forward(self, x):
        return self.head(self.body(x))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(data))
model = Net(Block, (0.9, 0.5))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model, find_unused_parameters=True)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    model.train()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print(epoch)
del ddp_model
dist.destroy_process_group()
