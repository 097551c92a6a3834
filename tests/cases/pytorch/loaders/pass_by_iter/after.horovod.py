"""A pass by iter() in its head begins anew each time: the sampler is told the epoch, and an evaluation is shared out."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x, y = torch.randn(320, 8), torch.randint(0, 3, (320,))
test_data = TensorDataset(x[256:], y[256:])
train_data = TensorDataset(x[:256], y[:256])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=16 // hvd.size(), sampler=train_sampler)
test_sampler = range(hvd.rank(), len(test_data), hvd.size())
test_loader = DataLoader(test_data, batch_size=16, sampler=test_sampler)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    running = 0.0
    train_loader.sampler.set_epoch(epoch)
    for i, batch in enumerate(iter(train_loader)):
        inputs, labels = batch
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
        running += loss.item()
    total = hvd.allreduce(torch.tensor(running, dtype=torch.float64), op=hvd.Sum)
    running = total.item() / hvd.size()
    correct = 0
    with torch.no_grad():
        for inputs, labels in iter(test_loader):
            correct += (model(inputs).argmax(1) == labels).sum().item()
        total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
        correct = int(total)
    if hvd.rank() == 0:
        print(epoch, running / len(train_loader), correct / len(test_data))
hvd.shutdown()
