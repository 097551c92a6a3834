"""train(epoch) uses model, loader, optimizer and criterion as module globals (the CIFAR form)."""
import torch
import torch.nn as nn
import torch.optim as optim
import torchvision
import torchvision.transforms as transforms
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
device = 'cuda' if torch.cuda.is_available() else 'cpu'
transform_train = transforms.Compose([
    transforms.RandomCrop(32, padding=4),
    transforms.RandomHorizontalFlip(),
    transforms.ToTensor(),
])
if dist.get_rank() == 0:
    torchvision.datasets.CIFAR10(root='./data', train=True, download=True)
dist.barrier()
trainset = torchvision.datasets.CIFAR10(root='./data', train=True, download=True, transform=transform_train)
if 128 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 128 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(trainset)
trainloader = torch.utils.data.DataLoader(
    trainset, batch_size=128 // dist.get_world_size(), sampler=train_sampler, num_workers=2
)
if dist.get_rank() == 0:
    torchvision.datasets.CIFAR10(root='./data', train=False, download=True)
dist.barrier()
testset = torchvision.datasets.CIFAR10(root='./data', train=False, download=True, transform=transforms.ToTensor())
test_sampler = range(dist.get_rank(), len(testset), dist.get_world_size())
testloader = torch.utils.data.DataLoader(testset, batch_size=100, sampler=test_sampler, num_workers=2)

net = nn.Sequential(nn.Conv2d(3, 32, 3), nn.BatchNorm2d(32), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10))
net = net.to(device)
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)


def train(epoch):
    if dist.get_rank() == 0:
        print('\nEpoch: %d' % epoch)
    net.train()
    train_loss = 0
    correct = 0
    total = 0
    trainloader.sampler.set_epoch(epoch)
    for batch_idx, (inputs, targets) in enumerate(trainloader):
        inputs, targets = inputs.to(device), targets.to(device)
        optimizer.zero_grad()
        outputs = ddp_net(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
        train_loss += loss.item()
        _, predicted = outputs.max(1)
        total += targets.size(0)
        correct += predicted.eq(targets).sum().item()
    totals = torch.tensor([train_loss, correct, total], dtype=torch.float64)
    dist.all_reduce(totals)
    train_loss, correct, total = totals[0].item() / dist.get_world_size(), int(totals[1]), int(totals[2])
    if dist.get_rank() == 0:
        print('Loss: %.3f | Acc: %.3f%% (%d/%d)' % (train_loss / len(trainloader), 100. * correct / total, correct, total))


def test(epoch):
    for buffer in net.buffers():
        dist.broadcast(buffer, src=0)
    net.eval()
    correct = 0
    total = 0
    with torch.no_grad():
        for inputs, targets in testloader:
            inputs, targets = inputs.to(device), targets.to(device)
            _, predicted = net(inputs).max(1)
            total += targets.size(0)
            correct += predicted.eq(targets).sum().item()
        totals = torch.tensor([correct, total], dtype=torch.float64)
        dist.all_reduce(totals)
        correct, total = int(totals[0]), int(totals[1])
    if dist.get_rank() == 0:
        print('Epoch %d test acc: %.3f%%' % (epoch, 100. * correct / total))


ddp_net = DistributedDataParallel(net)
for epoch in range(0, 200):
    train(epoch)
    test(epoch)
del ddp_net
dist.destroy_process_group()
