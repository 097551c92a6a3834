"""A model with batch normalisation is trained by one of its methods, and evaluated after each epoch."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(20, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 5))

    def forward(self, x):
        return F.log_softmax(self.layers(x), dim=1)

    def compute_loss(self, x, y):
        return F.nll_loss(self(x), y)


torch.manual_seed(0)
train_loader = DataLoader(TensorDataset(torch.randn(320, 20), torch.randint(0, 5, (320,))), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(torch.randn(64, 20), torch.randint(0, 5, (64,))), batch_size=32)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    model.train()
    for x, y in train_loader:
        loss = model.compute_loss(x, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
    print(epoch, correct / len(test_loader.dataset))
