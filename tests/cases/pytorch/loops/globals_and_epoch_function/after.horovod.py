"""train(epoch) uses model, loader, optimizer and criterion as module globals (the CIFAR form)."""
import torch
import torch.nn as nn
import torch.optim as optim
import torchvision
import torchvision.transforms as transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
device = 'cuda' if torch.cuda.is_available() else 'cpu'
transform_train = transforms.Compose([
    transforms.RandomCrop(32, padding=4),
    transforms.RandomHorizontalFlip(),
    transforms.ToTensor(),
])
if hvd.rank() == 0:
    torchvision.datasets.CIFAR10(root='./data', train=True, download=True)
hvd.barrier()
trainset = torchvision.datasets.CIFAR10(root='./data', train=True, download=True, transform=transform_train)
if 128 % hvd.size() != 0:
    raise SystemExit(f"batch size 128 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(trainset, num_replicas=hvd.size(), rank=hvd.rank())
trainloader = torch.utils.data.DataLoader(trainset, batch_size=128 // hvd.size(), sampler=train_sampler, num_workers=2)
if hvd.rank() == 0:
    torchvision.datasets.CIFAR10(root='./data', train=False, download=True)
hvd.barrier()
testset = torchvision.datasets.CIFAR10(root='./data', train=False, download=True, transform=transforms.ToTensor())
test_sampler = range(hvd.rank(), len(testset), hvd.size())
testloader = torch.utils.data.DataLoader(testset, batch_size=100, sampler=test_sampler, num_workers=2)

net = nn.Sequential(nn.Conv2d(3, 32, 3), nn.BatchNorm2d(32), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10))
net = net.to(device)
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())


def train(epoch):
    if hvd.rank() == 0:
        print('\nEpoch: %d' % epoch)
    net.train()
    train_loss = 0
    correct = 0
    total = 0
    trainloader.sampler.set_epoch(epoch)
    for batch_idx, (inputs, targets) in enumerate(trainloader):
        inputs, targets = inputs.to(device), targets.to(device)
        optimizer.zero_grad()
        outputs = net(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
        train_loss += loss.item()
        _, predicted = outputs.max(1)
        total += targets.size(0)
        correct += predicted.eq(targets).sum().item()
    totals = hvd.allreduce(torch.tensor([train_loss, correct, total], dtype=torch.float64), op=hvd.Sum)
    train_loss, correct, total = totals[0].item() / hvd.size(), int(totals[1]), int(totals[2])
    if hvd.rank() == 0:
        print('Loss: %.3f | Acc: %.3f%% (%d/%d)' % (train_loss / len(trainloader), 100. * correct / total, correct, total))


def test(epoch):
    hvd.broadcast_parameters(dict(net.named_buffers()), root_rank=0)
    net.eval()
    correct = 0
    total = 0
    with torch.no_grad():
        for inputs, targets in testloader:
            inputs, targets = inputs.to(device), targets.to(device)
            _, predicted = net(inputs).max(1)
            total += targets.size(0)
            correct += predicted.eq(targets).sum().item()
        totals = hvd.allreduce(torch.tensor([correct, total], dtype=torch.float64), op=hvd.Sum)
        correct, total = int(totals[0]), int(totals[1])
    if hvd.rank() == 0:
        print('Epoch %d test acc: %.3f%%' % (epoch, 100. * correct / total))


hvd.broadcast_parameters(net.state_dict(), root_rank=0)
for epoch in range(0, 200):
    train(epoch)
    test(epoch)
hvd.shutdown()
