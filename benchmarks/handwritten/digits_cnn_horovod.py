"""examples/pytorch/digits_cnn.py for Horovod, written by hand: the yardstick."""

import horovod.torch as hvd
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

hvd.init()
rank, world_size = hvd.rank(), hvd.size()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
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
sampler = DistributedSampler(train_set, num_replicas=world_size, rank=rank, shuffle=True)
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
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=learning_rate, momentum=0.9)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

for epoch in range(epochs):
    sampler.set_epoch(epoch)
    model.train()
    running_loss = 0.0
    for x, y in train_loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = criterion(model(x), y)
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
    running_loss, correct = hvd.allreduce(sums, op=hvd.Sum).tolist()
    if rank == 0:
        print(f"epoch {epoch + 1:2d}  train loss {running_loss / len(train_set):.4f}  "
              f"test accuracy {correct / len(test_set):.4f}")

if rank == 0:
    torch.save(model.state_dict(), "digits_cnn.pt")
    print("saved to digits_cnn.pt")
