"""The loss of the batch before is shown, which is none at the first batch; after the pass there is one."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x, y = torch.randn(256, 8), torch.randint(0, 3, (256,))
train_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=16 // hvd.size(), sampler=train_sampler)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    last = None
    train_loader.sampler.set_epoch(epoch)
    for i, (inputs, labels) in enumerate(train_loader):
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
        if i % 4 == 0:
            total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
            mean_loss = total.item() / hvd.size()
            mean_last = last
            if mean_last is not None:
                total = hvd.allreduce(torch.tensor(last, dtype=torch.float64), op=hvd.Sum)
                mean_last = total.item() / hvd.size()
            if hvd.rank() == 0:
                print(epoch, i, mean_last, mean_loss)
        last = loss.item()
    total = hvd.allreduce(torch.tensor(last, dtype=torch.float64), op=hvd.Sum)
    mean_last = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_last)
hvd.shutdown()
