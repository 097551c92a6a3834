"""tqdm(enumerate(loader), total=len(loader)): len of the sharded loader is the number of steps, which is kept."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
features = torch.randn(2048, 20)
targets = (features.sum(1) > 0).long()
train_data = TensorDataset(features, targets)
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=64 // hvd.size(), sampler=train_sampler)
model = nn.Linear(20, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(4):
    running = 0.0
    train_loader.sampler.set_epoch(epoch)
    for i, (x, y) in tqdm(enumerate(train_loader), total=len(train_loader), disable=hvd.rank() != 0):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        running += loss.item()
    total_ = hvd.allreduce(torch.tensor(running, dtype=torch.float64), op=hvd.Sum)
    running = total_.item() / hvd.size()
    if hvd.rank() == 0:
        print(f"epoch {epoch}: {running / len(train_loader):.4f}")
hvd.shutdown()
