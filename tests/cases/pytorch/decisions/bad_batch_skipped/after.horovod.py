"""A batch whose loss is no number is skipped, by all processes together."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] + 0.3 * torch.randn(400) > 0).long()
train_data = TensorDataset(x[:320], y[:320])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=32 // hvd.size(), sampler=train_sampler)
val_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=32)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for data, target in train_loader:
        loss = criterion(model(data), target)
        total = hvd.allreduce(torch.tensor(float(loss), dtype=torch.float64), op=hvd.Sum)
        mean_loss = (total / hvd.size()).float()
        if torch.isnan(mean_loss):
            total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
            mean_loss = total.item() / hvd.size()
            if hvd.rank() == 0:
                print("skipped", mean_loss)
            continue
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
