"""eval() comes after this pass only: batch normalisation takes the statistics of the evaluated batch, which stays whole."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
X, Y = torch.randn(400, 8), torch.randint(0, 4, (400,))
loader = DataLoader(TensorDataset(X[:320], Y[:320]), batch_size=32, shuffle=True)
val_loader = DataLoader(TensorDataset(X[320:], Y[320:]), batch_size=40)
net = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for x, y in val_loader:
            correct += (net(x).argmax(1) == y).sum().item()
    print(epoch, correct / len(val_loader.dataset))
net.eval()
torch.save(net.state_dict(), "net.pt")
