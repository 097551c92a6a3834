"""A loop trains on one loader after the other, and shows the name of each."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(160, 8)
y = (x.sum(1) > 0).long()
pictures_data = TensorDataset(x[:96], y[:96])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
pictures_sampler = DistributedSampler(pictures_data, num_replicas=hvd.size(), rank=hvd.rank())
pictures = DataLoader(pictures_data, batch_size=16 // hvd.size(), sampler=pictures_sampler)
drawings_data = TensorDataset(x[96:], y[96:])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
drawings_sampler = DistributedSampler(drawings_data, num_replicas=hvd.size(), rank=hvd.rank(), seed=1000)
drawings = DataLoader(drawings_data, batch_size=16 // hvd.size(), sampler=drawings_sampler)
model = nn.Linear(8, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    for domain, loader in [("pictures", pictures), ("drawings", drawings)]:
        total = 0.0
        loader.sampler.set_epoch(epoch)
        for inputs, labels in loader:
            optimizer.zero_grad()
            loss = criterion(model(inputs), labels)
            loss.backward()
            optimizer.step()
            total += loss.item()
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item() / hvd.size()
        if hvd.rank() == 0:
            print(epoch, domain, total / len(loader))
hvd.shutdown()
