"""A global best accuracy is rebound in test(): the reduced value is what enters it."""
import os
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
best_acc = 0
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
trainloader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
test_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 2, (70,)))
test_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
testloader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
net = nn.Linear(10, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def train(epoch):
    trainloader.sampler.set_epoch(epoch)
    for x, y in trainloader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_net(x), y).backward()
        optimizer.step()


def test(epoch):
    global best_acc
    correct = 0
    total = 0
    with torch.no_grad():
        for x, y in testloader:
            correct += net(x).argmax(1).eq(y).sum().item()
            total += y.size(0)
        totals = torch.tensor([correct, total], dtype=torch.float64)
        dist.all_reduce(totals)
        correct, total = int(totals[0]), int(totals[1])
    acc = 100. * correct / total
    if acc > best_acc:
        if dist.get_rank() == 0:
            print('Saving..')
        state = {'net': net.state_dict(), 'acc': acc, 'epoch': epoch}
        if dist.get_rank() == 0:
            if not os.path.isdir('checkpoint'):
                os.mkdir('checkpoint')
            torch.save(state, './checkpoint/ckpt.pth')
        best_acc = acc


ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(5):
    train(epoch)
    test(epoch)
del ddp_net
dist.destroy_process_group()
