"""A RandomSampler of all samples is plain shuffling, also where the last batch is dropped: whole batches are dealt out in order."""
import torch
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, TensorDataset
import horovod.torch as hvd
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x, y = torch.randn(320, 8), torch.randint(0, 3, (320,))
held_out = TensorDataset(x[250:], y[250:])
train_data = TensorDataset(x[:250], y[:250])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=16 // hvd.size(), sampler=train_sampler)
drawn = RandomSampler(held_out)
test_batches = list(BatchSampler(range(len(held_out)), 16, drop_last=True))[hvd.rank()::hvd.size()]
test_loader = DataLoader(held_out, batch_sampler=test_batches)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
    total = 0.0
    with torch.no_grad():
        for inputs, labels in test_loader:
            total += criterion(model(inputs), labels).item()
        totals = hvd.allreduce(torch.tensor([total, len(test_loader)], dtype=torch.float64), op=hvd.Sum)
        total, num_batches = totals[0].item(), int(totals[1])
    if hvd.rank() == 0:
        print(epoch, total / num_batches)
hvd.shutdown()
