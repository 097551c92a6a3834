"""The loader is made anew in each epoch: without set_epoch the new sampler would give the same order each time."""
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
X = torch.randn(1000, 8)
Y = X @ torch.randn(8, 1)
train_ds = TensorDataset(X, Y)

model = nn.Linear(8, 1)
optimizer = optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
loss_fn = nn.MSELoss()

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for ep in range(10):
    if 50 % hvd.size() != 0:
        raise SystemExit(f"batch size 50 cannot be shared out over {hvd.size()} processes")
    train_dl_sampler = DistributedSampler(train_ds, num_replicas=hvd.size(), rank=hvd.rank())
    train_dl = DataLoader(train_ds, batch_size=50 // hvd.size(), sampler=train_dl_sampler)
    train_dl.sampler.set_epoch(ep)
    for xb, yb in train_dl:
        optimizer.zero_grad()
        loss_fn(model(xb), yb).backward()
        optimizer.step()
    if hvd.rank() == 0:
        print('epoch', ep)
hvd.shutdown()
