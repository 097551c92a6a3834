"""A function scales in place what it computes, of training batches and of held-out ones: each call by itself."""
import shutil

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
test_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 3, (70,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=32 // hvd.size(), sampler=train_sampler)
test_batches = list(BatchSampler(range(len(test_data)), 10, drop_last=False))[hvd.rank()::hvd.size()]
test_loader = DataLoader(test_data, batch_sampler=test_batches)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def accuracy(output, target):
    correct = output.argmax(1).eq(target).float().sum()
    return correct.mul_(100.0 / target.size(0))


def validate():
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in test_loader:
            total += accuracy(model(x), y).item()
        totals = hvd.allreduce(torch.tensor([total, len(test_loader)], dtype=torch.float64), op=hvd.Sum)
        total, num_batches = totals[0].item(), int(totals[1])
    return total / num_batches


best = 0.0
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for i, (x, y) in enumerate(train_loader):
        optimizer.zero_grad()
        output = model(x)
        nn.functional.cross_entropy(output, y).backward()
        optimizer.step()
        if i % 5 == 0:
            total_ = hvd.allreduce(torch.tensor(accuracy(output, y).item(), dtype=torch.float64), op=hvd.Sum)
            mean_accuracy = total_.item() / hvd.size()
            if hvd.rank() == 0:
                print(i, mean_accuracy)
    score = validate()
    if hvd.rank() == 0:
        print(epoch, score)
        torch.save(model.state_dict(), "last.pt")
    if score > best:
        best = score
        if hvd.rank() == 0:
            shutil.copyfile("last.pt", "best.pt")
hvd.shutdown()
