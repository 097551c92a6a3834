"""model.apply() thaws parameters in the training loop."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
def thaw(m):
    for p in m.parameters(recurse=False):
        p.requires_grad = True

hvd.init()
torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
test_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=32)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.0), nn.Linear(16, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for p in model[0].parameters():
    p.requires_grad = False
seen = 0
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    model.apply(thaw)
    loader.sampler.set_epoch(epoch)
    for i, (xb, yb) in enumerate(loader):
        loss = F.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        hvd.grouped_allreduce_([p_.grad for group in opt.param_groups for p_ in group["params"] if p_.grad is not None])
        opt.step()
        seen += len(xb)
if hvd.rank() == 0:
    torch.save(model.state_dict(), "m.pt")
hvd.shutdown()
