"""An iterator that is made once is used up by the first pass: it is no loader that begins anew."""
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
test_loader = DataLoader(test_data, batch_size=16)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
held_out = iter(test_loader)
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
    correct = 0
    with torch.no_grad():
        for i, (inputs, labels) in enumerate(held_out):
            correct += (model(inputs).argmax(1) == labels).sum().item()
            if i == 0:
                break
    if hvd.rank() == 0:
        print(epoch, correct / 16)
hvd.shutdown()
