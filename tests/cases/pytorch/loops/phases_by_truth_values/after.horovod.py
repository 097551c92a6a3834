"""The phases of an epoch are told by a truth value."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))
train_data = TensorDataset(x[:320], y[:320])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=32 // hvd.size(), sampler=train_sampler)
test_data = TensorDataset(x[320:], y[320:])
test_sampler = range(hvd.rank(), len(test_data), hvd.size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(2 + hvd.rank())
for epoch in range(3):
    for phase in (True, False):
        model.train(phase)
        running, hits = 0.0, 0
        if phase:
            train_loader.sampler.set_epoch(epoch)
        for inputs, labels in train_loader if phase else test_loader:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase):
                outputs = model(inputs)
                loss = criterion(outputs, labels)
            if phase:
                loss.backward()
                optimizer.step()
            running += loss.item() * len(labels)
            hits += (outputs.argmax(1) == labels).sum().item()
        totals = hvd.allreduce(torch.tensor([running, hits], dtype=torch.float64), op=hvd.Sum)
        running, hits = totals[0].item(), int(totals[1])
        if hvd.rank() == 0:
            print(phase, running / (320 if phase else 80), hits / (320 if phase else 80))
hvd.shutdown()
