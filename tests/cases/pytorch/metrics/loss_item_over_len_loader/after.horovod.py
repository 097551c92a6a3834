"""running_loss += loss.item(), divided by len(loader) at the epoch's end: a mean of batch means, reduced before it is printed."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(640, 16), torch.randint(0, 3, (640,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=64 // hvd.size(), sampler=train_sampler)
model = nn.Linear(16, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(5):
    running_loss = 0.0
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
    total = hvd.allreduce(torch.tensor(running_loss, dtype=torch.float64), op=hvd.Sum)
    running_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(f'Epoch {epoch + 1}, loss {running_loss / len(train_loader):.4f}')
hvd.shutdown()
