"""Hits are counted per class in lists, label by label: sums over ranks element by element."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
classes = ('plane', 'car', 'bird', 'cat')
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(400, 5), torch.randint(0, 4, (400,)))
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=20 // hvd.size(), sampler=train_sampler)
test_loader = DataLoader(TensorDataset(torch.randn(103, 5), torch.randint(0, 4, (103,))), batch_size=20)
net = nn.Linear(5, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()

class_correct = list(0. for i in range(4))
class_total = list(0. for i in range(4))
with torch.no_grad():
    for x, y in test_loader:
        _, predicted = torch.max(net(x), 1)
        c = (predicted == y).squeeze()
        for i in range(len(y)):
            label = y[i]
            class_correct[label] += c[i].item()
            class_total[label] += 1
for i in range(4):
    if hvd.rank() == 0:
        print('Accuracy of %5s : %2d %%' % (classes[i], 100 * class_correct[i] / class_total[i]))
hvd.shutdown()
