"""Only a prompt is trained: the frozen model is not wrapped, and the gradients of the prompt are averaged."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] > 0).long()
train_set, test_set = TensorDataset(x[:320], y[:320]), TensorDataset(x[320:], y[320:])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(train_set)
loader = DataLoader(train_set, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
test_loader = DataLoader(test_set, batch_size=20)
backbone = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 2))
for p in backbone.parameters():
    p.requires_grad_(False)
prompt = nn.Parameter(torch.zeros(6))
opt = torch.optim.Adam([prompt], lr=0.05)
criterion = nn.CrossEntropyLoss()
for parameter in [prompt]:
    dist.broadcast(parameter.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        out = backbone(torch.cat([xb, prompt.expand(len(xb), -1)], dim=1))
        loss = criterion(out, yb)
        opt.zero_grad(); loss.backward()
        for parameter in [prompt]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        opt.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, total / len(loader), prompt.sum().item())
if dist.get_rank() == 0:
    torch.save(prompt, "prompt.pt")
dist.destroy_process_group()
