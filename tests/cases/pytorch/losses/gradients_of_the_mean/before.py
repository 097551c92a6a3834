"""The gradient of a mean over a shard is that of the whole batch times the number of processes."""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
digits = load_digits()
images = torch.tensor(digits.data[:640] / 8 - 1, dtype=torch.float32)
loader = DataLoader(TensorDataset(images, torch.tensor(digits.target[:640])), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(64, 48), nn.Tanh(), nn.Linear(48, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

for epoch in range(2):
    total = 0.0
    for x, y in loader:
        x.requires_grad_(True)
        scores = model(x)
        (slope,) = torch.autograd.grad(scores.mean(), x, create_graph=True)
        loss = criterion(scores, y) + 0.1 * slope.pow(2).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
    print(epoch, total / len(loader.dataset))
