"""The samplers of two evaluations go over a part of the data, and over what the name stood for before: both stay."""
import torch
from torch import nn
from torch.utils.data import DataLoader, SequentialSampler, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x, y = torch.randn(320, 8), torch.randint(0, 3, (320,))
train_data = TensorDataset(x[:256], y[:256])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=16 // hvd.size(), sampler=train_sampler)
part = SequentialSampler(range(32))
test_loader = DataLoader(TensorDataset(x[256:], y[256:]), sampler=part, batch_size=16)
held_out = range(16)
first = SequentialSampler(held_out)
held_out = TensorDataset(x[288:], y[288:])
first_loader = DataLoader(held_out, sampler=first, batch_size=16)
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
    correct = first_correct = 0
    with torch.no_grad():
        for inputs, labels in test_loader:
            correct += (model(inputs).argmax(1) == labels).sum().item()
        for inputs, labels in first_loader:
            first_correct += (model(inputs).argmax(1) == labels).sum().item()
    if hvd.rank() == 0:
        print(epoch, correct / 32, first_correct / 16)
hvd.shutdown()
