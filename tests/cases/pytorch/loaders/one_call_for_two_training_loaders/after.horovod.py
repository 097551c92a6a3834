"""One call makes two loaders for training, of which one is shuffled, and one to evaluate."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))


def make(data, train, mixed):
    if train:
        if 16 % hvd.size() != 0:
            raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
        sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=mixed, drop_last=train)
    else:
        sampler = range(hvd.rank(), len(data), hvd.size())
    return DataLoader(data, batch_size=16 // hvd.size(), sampler=sampler, drop_last=train)


one = make(TensorDataset(x[:160], y[:160]), True, True)
two = make(TensorDataset(x[160:320], y[160:320]), True, False)
test = make(TensorDataset(x[320:], y[320:]), False, True)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(2 + hvd.rank())
for epoch in range(3):
    loader = one if epoch < 2 else two
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for inputs, labels in test:
            hits += (model(inputs).argmax(1) == labels).sum().item()
        total = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
        hits = int(total)
    if hvd.rank() == 0:
        print(epoch, hits / len(test.dataset))
hvd.shutdown()
