"""One output a sample, flattened by a layer: entries stay those of their samples, so the loss is a mean over them."""
import torch
import torch.nn as nn
from sklearn.datasets import make_moons
from torch.utils.data import DataLoader, TensorDataset, random_split
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)

points, labels = make_moons(n_samples=400, noise=0.1, random_state=0)
dataset = TensorDataset(torch.tensor(points, dtype=torch.float32), torch.tensor(labels, dtype=torch.float32))
n_val = 99
train_set, val_set = random_split(dataset, [len(dataset) - n_val, n_val])

if 30 % hvd.size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_set, batch_size=30 // hvd.size(), sampler=train_sampler)
val_sampler = range(hvd.rank(), len(val_set), hvd.size())
val_loader = DataLoader(val_set, batch_size=30, sampler=val_sampler)

model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1), nn.Flatten(0))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(4):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()

    correct = 0
    with torch.no_grad():
        for x, y in val_loader:
            correct += ((model(x) > 0).float() == y).sum().item()
        total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
        correct = int(total)
    if hvd.rank() == 0:
        print(f'{epoch}: {correct} of {n_val} right')
hvd.shutdown()
