"""A global best accuracy is rebound in test(): the reduced value is what enters it."""
import os
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
best_acc = 0
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
trainloader = DataLoader(train_data, batch_size=32 // hvd.size(), sampler=train_sampler)
test_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 2, (70,)))
test_sampler = range(hvd.rank(), len(test_data), hvd.size())
testloader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
net = nn.Linear(10, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())


def train(epoch):
    trainloader.sampler.set_epoch(epoch)
    for x, y in trainloader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


def test(epoch):
    global best_acc
    correct = 0
    total = 0
    with torch.no_grad():
        for x, y in testloader:
            correct += net(x).argmax(1).eq(y).sum().item()
            total += y.size(0)
        totals = hvd.allreduce(torch.tensor([correct, total], dtype=torch.float64), op=hvd.Sum)
        correct, total = int(totals[0]), int(totals[1])
    acc = 100. * correct / total
    if acc > best_acc:
        if hvd.rank() == 0:
            print('Saving..')
        state = {'net': net.state_dict(), 'acc': acc, 'epoch': epoch}
        if hvd.rank() == 0:
            if not os.path.isdir('checkpoint'):
                os.mkdir('checkpoint')
            torch.save(state, './checkpoint/ckpt.pth')
        best_acc = acc


hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(5):
    train(epoch)
    test(epoch)
hvd.shutdown()
