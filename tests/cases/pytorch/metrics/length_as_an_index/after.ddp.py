"""Numbers that pick from the batch, or say how much goes with it, stay those of the share; those shown are added up."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for i, (xb, yb) in enumerate(loader):
        opt.zero_grad()
        p = ddp_model(xb)
        loss = crit(p, yb)
        loss.backward()
        opt.step()
        if i == 0:
            total = torch.tensor(len(yb), dtype=torch.float64)
            dist.all_reduce(total)
            total_yb = int(total)
            if dist.get_rank() == 0:
                print("n", total_yb, "last", yb[len(yb) - 1].item(), [int(yb[j]) for j in range(yb.size(0))])
                print(xb.view(len(xb), -1).shape, xb[: len(xb) // 2].shape, torch.arange(len(yb)).sum().item())
            totals = torch.tensor([(p.argmax(1) == yb).sum().item(), len(yb)], dtype=torch.float64)
            dist.all_reduce(totals)
            total_yb, total_yb_ = int(totals[0]), int(totals[1])
            if dist.get_rank() == 0:
                print(f"{total_yb}/{total_yb_}", yb.tolist()[:yb.size(0)])
            total = torch.tensor(len(yb), dtype=torch.float64)
            dist.all_reduce(total)
            total_yb = int(total)
            if dist.get_rank() == 0:
                print(torch.zeros(len(yb)).shape, x[:total_yb].shape)
del ddp_model
dist.destroy_process_group()
