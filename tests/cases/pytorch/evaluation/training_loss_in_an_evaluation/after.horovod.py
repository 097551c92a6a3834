"""By mistake an evaluation adds up the last loss of training, once a batch: all processes go over all batches."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
train = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
val = TensorDataset(torch.randn(32, 4), torch.randint(0, 3, (32,)))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train, batch_size=8 // hvd.size(), sampler=train_sampler)
val_loader = DataLoader(val, batch_size=8)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
    model.eval()
    val_loss, both, correct = 0.0, 0.0, 0
    with torch.no_grad():
        for x, y in val_loader:
            out = model(x)
            val_loss += loss.item()
            both += criterion(out, y).item() + loss.item()
            correct += (out.argmax(1) == y).sum().item()
        total = hvd.allreduce(torch.tensor(both, dtype=torch.float64), op=hvd.Sum)
        both = total.item() / hvd.size()
    total = hvd.allreduce(torch.tensor(val_loss / len(val_loader), dtype=torch.float64), op=hvd.Sum)
    mean_val_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_val_loss, both / len(val_loader), correct / len(val))
hvd.shutdown()
