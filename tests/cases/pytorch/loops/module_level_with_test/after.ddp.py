"""Everything at module level, without functions: training loop, then an evaluation loop."""
import torch
import torch.nn as nn
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

# Hyper-parameters
input_size = 784
num_classes = 10
num_epochs = 5
batch_size = 100
learning_rate = 0.001

# MNIST dataset (images and labels)
if dist.get_rank() == 0:
    torchvision.datasets.MNIST(root='../../data', train=True, download=True)
dist.barrier()
train_dataset = torchvision.datasets.MNIST(root='../../data', train=True, transform=transforms.ToTensor(), download=True)
test_dataset = torchvision.datasets.MNIST(root='../../data', train=False, transform=transforms.ToTensor())

# Data loader (input pipeline)
if batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_dataset)
train_loader = torch.utils.data.DataLoader(
    dataset=train_dataset, batch_size=batch_size // dist.get_world_size(), sampler=train_sampler
)
test_sampler = range(dist.get_rank(), len(test_dataset), dist.get_world_size())
test_loader = torch.utils.data.DataLoader(dataset=test_dataset, batch_size=batch_size, sampler=test_sampler)

model = nn.Linear(input_size, num_classes)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=learning_rate)

total_step = len(train_loader)
ddp_model = DistributedDataParallel(model)
for epoch in range(num_epochs):
    train_loader.sampler.set_epoch(epoch)
    for i, (images, labels) in enumerate(train_loader):
        images = images.reshape(-1, input_size)
        outputs = ddp_model(images)
        loss = criterion(outputs, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (i + 1) % 100 == 0:
            total_ = torch.tensor(loss.item(), dtype=torch.float64)
            dist.all_reduce(total_)
            mean_loss = total_.item() / dist.get_world_size()
            if dist.get_rank() == 0:
                print('Epoch [{}/{}], Step [{}/{}], Loss: {:.4f}'.format(epoch + 1, num_epochs, i + 1, total_step, mean_loss))

# Test the model
with torch.no_grad():
    correct = 0
    total = 0
    for images, labels in test_loader:
        images = images.reshape(-1, input_size)
        outputs = model(images)
        _, predicted = torch.max(outputs.data, 1)
        total += labels.size(0)
        correct += (predicted == labels).sum()
    totals = torch.tensor([float(correct), total], dtype=torch.float64)
    dist.all_reduce(totals)
    correct, total = totals[0].long(), int(totals[1])
    if dist.get_rank() == 0:
        print('Accuracy of the model on the test images: {} %'.format(100 * correct / total))

# Save the model checkpoint
if dist.get_rank() == 0:
    torch.save(model.state_dict(), 'model.ckpt')
del ddp_model
dist.destroy_process_group()
