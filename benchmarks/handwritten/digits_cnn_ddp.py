"""examples/pytorch/digits_cnn.py for DistributedDataParallel, written by hand: the yardstick."""

import os

import torch
import torch.distributed as dist
import torch.distributed.nn  # before the group is made, so that it ends
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
rank, world_size = dist.get_rank(), dist.get_world_size()
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)

epochs = 15
batch_size = 64
learning_rate = 0.05
assert batch_size % world_size == 0, "the batch size must be a multiple of the number of processes"

digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
labels = torch.tensor(digits.target)
x_train, x_test, y_train, y_test = train_test_split(images, labels, test_size=0.2, random_state=0)

train_set, test_set = TensorDataset(x_train, y_train), TensorDataset(x_test, y_test)
sampler = DistributedSampler(train_set, shuffle=True)
train_loader = DataLoader(train_set, batch_size=batch_size // world_size, sampler=sampler)
test_loader = DataLoader(test_set, batch_size=256, sampler=range(rank, len(test_set), world_size))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 3, padding=1)
        self.conv2 = nn.Conv2d(32, 64, 3, padding=1)
        self.fc1 = nn.Linear(64 * 4 * 4, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.fc1(x.flatten(1)))
        return self.fc2(x)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Net().to(device)
ddp_model = DistributedDataParallel(model)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=learning_rate, momentum=0.9)

for epoch in range(epochs):
    sampler.set_epoch(epoch)
    model.train()
    running_loss = 0.0
    for x, y in train_loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        optimizer.step()
        running_loss += loss.item() * len(x)

    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            x, y = x.to(device), y.to(device)
            correct += (model(x).argmax(dim=1) == y).sum().item()

    sums = torch.tensor([running_loss, correct], dtype=torch.float64, device=device)
    dist.all_reduce(sums)
    running_loss, correct = sums.tolist()
    if rank == 0:
        print(f"epoch {epoch + 1:2d}  train loss {running_loss / len(train_set):.4f}  "
              f"test accuracy {correct / len(test_set):.4f}")

if rank == 0:
    torch.save(model.state_dict(), "digits_cnn.pt")
    print("saved to digits_cnn.pt")
del ddp_model
dist.destroy_process_group()
