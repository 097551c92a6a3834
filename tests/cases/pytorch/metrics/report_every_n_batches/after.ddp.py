"""A window of losses is printed and reset every 200 batches: reduced under the replicated condition where it is printed."""
import torch
import torch.nn as nn
import torch.nn.functional as F
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
dist.init_process_group("gloo")
transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))])
if dist.get_rank() == 0:
    torchvision.datasets.CIFAR10(root='./data', train=True, download=True)
dist.barrier()
trainset = torchvision.datasets.CIFAR10(root='./data', train=True, download=True, transform=transform)
if 4 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(trainset)
trainloader = torch.utils.data.DataLoader(
    trainset, batch_size=4 // dist.get_world_size(), sampler=train_sampler, num_workers=2
)


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

ddp_net = DistributedDataParallel(net)
for epoch in range(2):  # loop over the dataset multiple times
    running_loss = 0.0
    trainloader.sampler.set_epoch(epoch)
    for i, data in enumerate(trainloader, 0):
        # get the inputs; data is a list of [inputs, labels]
        inputs, labels = data
        # zero the parameter gradients
        optimizer.zero_grad()
        # forward + backward + optimize
        outputs = ddp_net(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
        # print statistics
        running_loss += loss.item()
        if i % 200 == 199:    # print every 200 mini-batches
            total = torch.tensor(running_loss / 200, dtype=torch.float64)
            dist.all_reduce(total)
            mean_running_loss = total.item() / dist.get_world_size()
            if dist.get_rank() == 0:
                print('[%d, %5d] loss: %.3f' % (epoch + 1, i + 1, mean_running_loss))
            running_loss = 0.0

if dist.get_rank() == 0:
    print('Finished Training')
PATH = './cifar_net.pth'
if dist.get_rank() == 0:
    torch.save(net.state_dict(), PATH)
del ddp_net
dist.destroy_process_group()
