"""A loop that is left in its first round looks at a batch; one that may go on is a pass."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
train_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=16 // hvd.size(), sampler=train_sampler)
for images, labels in DataLoader(train_loader.dataset, batch_size=16, shuffle=True):
    if hvd.rank() == 0:
        print(images.shape, labels.tolist())
    break
for number, (images, labels) in enumerate(DataLoader(train_loader.dataset, batch_size=16, shuffle=True)):
    if hvd.rank() == 0:
        print(number, images[15])
    break
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
opt = hvd.DistributedOptimizer(opt, named_parameters=model.named_parameters())
crit = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for xb, yb in train_loader:
        opt.zero_grad()
        loss = crit(model(xb), yb)
        loss.backward()
        opt.step()
seen = 0
for images, labels in train_loader:
    seen += len(images)
    total = hvd.allreduce(torch.tensor(seen, dtype=torch.float64), op=hvd.Sum)
    total_seen = int(total)
    if total_seen > 40:
        break
total = hvd.allreduce(torch.tensor(seen, dtype=torch.float64), op=hvd.Sum)
seen = int(total)
if hvd.rank() == 0:
    print(seen)
hvd.shutdown()
