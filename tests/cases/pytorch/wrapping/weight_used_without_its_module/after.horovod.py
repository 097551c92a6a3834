"""The weight of a module is used without calling it: DDP does not see its gradients."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] > 0).long()
train_set, test_set = TensorDataset(x[:320], y[:320]), TensorDataset(x[320:], y[320:])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(train_set, batch_size=32 // hvd.size(), sampler=loader_sampler)
test_loader = DataLoader(test_set, batch_size=20)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
classes = nn.Embedding(2, 16)
opt = torch.optim.SGD([*model.parameters(), *classes.parameters()], lr=0.1)
opt = hvd.DistributedOptimizer(opt)
criterion = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for parameter in [*classes.parameters()]:
    hvd.broadcast_(parameter.data, root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        loss = criterion(model(xb) @ classes.weight.t(), yb)
        opt.zero_grad(); loss.backward(); opt.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, total / len(loader))
if hvd.rank() == 0:
    torch.save(classes.state_dict(), "m.pt")
hvd.shutdown()
