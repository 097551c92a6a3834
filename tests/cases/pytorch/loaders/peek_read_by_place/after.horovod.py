"""A batch that is looked at by its places is the whole batch, as in the sequential run."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
batch_size = 16
loader_data = TensorDataset(x, y)
if batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=batch_size // hvd.size(), sampler=loader_sampler)
images, labels = next(iter(DataLoader(loader.dataset, batch_size=batch_size, shuffle=True)))
if hvd.rank() == 0:
    print(images.shape, labels[0], images[0].shape, images[0][2], images[-1, 3])
for i in range(6):
    if hvd.rank() == 0:
        print(i, labels[i], images[i][3])
for i, (image, label) in enumerate(zip(images, labels)):
    if hvd.rank() == 0:
        print(labels[i] == label)
if hvd.rank() == 0:
    print(" ".join(str(labels[j]) for j in range(4)))
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
opt = hvd.DistributedOptimizer(opt, named_parameters=model.named_parameters())
crit = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for i, (xb, yb) in enumerate(loader):
        opt.zero_grad()
        loss = crit(model(xb), yb)
        loss.backward()
        opt.step()
hvd.shutdown()
