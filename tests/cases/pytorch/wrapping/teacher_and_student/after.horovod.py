"""Distillation: the teacher is evaluated only, the student is trained by the one optimizer; only the student is wrapped."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(400, 10), torch.randint(0, 3, (400,)))
if 40 % hvd.size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=40 // hvd.size(), sampler=loader_sampler)
teacher = nn.Sequential(nn.Linear(10, 100), nn.ReLU(), nn.Linear(100, 3))
teacher.load_state_dict(torch.load("teacher.pt", map_location="cpu"))
teacher.eval()
student = nn.Linear(10, 3)
optimizer = torch.optim.Adam(student.parameters(), lr=0.001)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=student.named_parameters())
T = 4.0
hvd.broadcast_parameters(student.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        with torch.no_grad():
            soft = F.softmax(teacher(x) / T, dim=1)
        logits = student(x)
        loss = F.cross_entropy(logits, y) + F.kl_div(F.log_softmax(logits / T, dim=1), soft, reduction='batchmean') * T * T
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
if hvd.rank() == 0:
    torch.save(student.state_dict(), "student.pt")
hvd.shutdown()
