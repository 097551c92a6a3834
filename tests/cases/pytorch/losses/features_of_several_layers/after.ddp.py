"""Features that a forward pass collects in lists belong to one batch: put together, each sample stays one."""
import torch, torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 4, 3, padding=1)
        self.layers = nn.ModuleList([nn.Conv2d(4, 4, 3, padding=1) for _ in range(3)])
        self.heads = nn.ModuleList([nn.Conv2d(4, 2, 1) for _ in range(3)])
        self.head = nn.Linear(2 * 3 * 36, 3)
    def forward(self, x):
        x = self.stem(x)
        sources = list()
        out = []
        for k, layer in enumerate(self.layers):
            x = torch.relu(layer(x))
            sources.append(x)
        for x, head in zip(sources, self.heads):
            out.append(head(x).permute(0, 2, 3, 1).contiguous())
        out = torch.cat([o.view(o.size(0), -1) for o in out], 1)
        return self.head(out)
if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(64, 1, 6, 6), torch.randint(0, 3, (64,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, shuffle=False)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
