"""The best accuracy of a last batch is kept over the epochs: that is nothing that the evaluation sums up."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x, y = torch.randn(320, 8), torch.randint(0, 3, (320,))
train_data = TensorDataset(x[:256], y[:256])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank(), drop_last=True)
train_loader = DataLoader(train_data, batch_size=16 // hvd.size(), sampler=train_sampler, drop_last=True)
test_loader = DataLoader(TensorDataset(x[256:], y[256:]), batch_size=16)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
best = 0.0
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
    with torch.no_grad():
        for inputs, labels in test_loader:
            hits = model(inputs).argmax(1) == labels
            accuracy = hits.float().mean().item()
    if accuracy > best:
        best = accuracy
        if hvd.rank() == 0:
            torch.save(model.state_dict(), "best.pt")
    if hvd.rank() == 0:
        print(epoch, accuracy, best)
hvd.shutdown()
