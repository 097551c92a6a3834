"""The file written at the end is read back in the same run: rank 0 writes, a barrier, then all read."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,))), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(torch.randn(90, 10), torch.randint(0, 2, (90,))), batch_size=32)
net = nn.Linear(10, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
PATH = './net.pth'
torch.save(net.state_dict(), PATH)

net = nn.Linear(10, 2)
net.load_state_dict(torch.load(PATH))
correct = 0
with torch.no_grad():
    for x, y in test_loader:
        correct += (net(x).argmax(1) == y).sum().item()
print("correct:", correct, "of", len(test_loader.dataset))
