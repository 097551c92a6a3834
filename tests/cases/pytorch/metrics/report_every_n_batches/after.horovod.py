"""A window of losses is printed and reset every 200 batches: reduced under the replicated condition where it is printed."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
import torchvision
import torchvision.transforms as transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))])
if hvd.rank() == 0:
    torchvision.datasets.CIFAR10(root='./data', train=True, download=True)
hvd.barrier()
trainset = torchvision.datasets.CIFAR10(root='./data', train=True, download=True, transform=transform)
if 4 % hvd.size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(trainset, num_replicas=hvd.size(), rank=hvd.rank())
trainloader = torch.utils.data.DataLoader(trainset, batch_size=4 // hvd.size(), sampler=train_sampler, num_workers=2)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 6, 5)
        self.pool = nn.MaxPool2d(2, 2)
        self.fc1 = nn.Linear(6 * 14 * 14, 10)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        return self.fc1(x.flatten(1))


net = Net()
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=0.001, momentum=0.9)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())

hvd.broadcast_parameters(net.state_dict(), root_rank=0)
for epoch in range(2):  # loop over the dataset multiple times
    running_loss = 0.0
    trainloader.sampler.set_epoch(epoch)
    for i, data in enumerate(trainloader, 0):
        # get the inputs; data is a list of [inputs, labels]
        inputs, labels = data
        # zero the parameter gradients
        optimizer.zero_grad()
        # forward + backward + optimize
        outputs = net(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
        # print statistics
        running_loss += loss.item()
        if i % 200 == 199:    # print every 200 mini-batches
            total = hvd.allreduce(torch.tensor(running_loss / 200, dtype=torch.float64), op=hvd.Sum)
            mean_running_loss = total.item() / hvd.size()
            if hvd.rank() == 0:
                print('[%d, %5d] loss: %.3f' % (epoch + 1, i + 1, mean_running_loss))
            running_loss = 0.0

if hvd.rank() == 0:
    print('Finished Training')
PATH = './cifar_net.pth'
if hvd.rank() == 0:
    torch.save(net.state_dict(), PATH)
hvd.shutdown()
