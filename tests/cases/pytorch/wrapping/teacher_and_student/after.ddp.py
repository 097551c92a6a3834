"""Distillation: the teacher is evaluated only, the student is trained by the one optimizer; only the student is wrapped."""
import torch
import torch.nn as nn
import torch.nn.functional as F
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
loader_data = TensorDataset(torch.randn(400, 10), torch.randint(0, 3, (400,)))
if 40 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=40 // dist.get_world_size(), sampler=loader_sampler)
teacher = nn.Sequential(nn.Linear(10, 100), nn.ReLU(), nn.Linear(100, 3))
teacher.load_state_dict(torch.load("teacher.pt", map_location="cpu"))
teacher.eval()
student = nn.Linear(10, 3)
optimizer = torch.optim.Adam(student.parameters(), lr=0.001)
T = 4.0
ddp_student = DistributedDataParallel(student)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        with torch.no_grad():
            soft = F.softmax(teacher(x) / T, dim=1)
        logits = ddp_student(x)
        loss = F.cross_entropy(logits, y) + F.kl_div(F.log_softmax(logits / T, dim=1), soft, reduction='batchmean') * T * T
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
if dist.get_rank() == 0:
    torch.save(student.state_dict(), "student.pt")
del ddp_student
dist.destroy_process_group()
