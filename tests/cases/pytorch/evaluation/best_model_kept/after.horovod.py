"""The best model is kept by its global accuracy: the comparison must come out the same on all ranks, the file is written once."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(900, 10), torch.randint(0, 2, (900,)))
if 30 % hvd.size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=30 // hvd.size(), sampler=train_sampler)
val_data = TensorDataset(torch.randn(99, 10), torch.randint(0, 2, (99,)))
val_sampler = range(hvd.rank(), len(val_data), hvd.size())
val_loader = DataLoader(val_data, batch_size=30, sampler=val_sampler)
model = nn.Sequential(nn.Linear(10, 10), nn.ReLU(), nn.Linear(10, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
best_acc = 0.0

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(10):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in val_loader:
            correct += (model(x).argmax(1) == y).sum().item()
        total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
        correct = int(total)
    acc = correct / len(val_loader.dataset)
    if acc > best_acc:
        best_acc = acc
        if hvd.rank() == 0:
            torch.save(model.state_dict(), "best.pth")
            print("epoch", epoch, "new best", best_acc)
if hvd.rank() == 0:
    print("best accuracy", best_acc)
hvd.shutdown()
