"""One loader both trains and is counted on afterwards: the count must cover each sample once, without padding."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_iris

iris = load_iris()
data = TensorDataset(torch.tensor(iris.data, dtype=torch.float), torch.tensor(iris.target))
loader = DataLoader(data, batch_size=10, shuffle=True)

model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()

for epoch in range(30):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()

correct = 0
total = 0
model.eval()
with torch.no_grad():
    for x, y in loader:
        correct += (model(x).argmax(dim=1) == y).sum().item()
        total += y.size(0)
print("accuracy on the training set: %.3f" % (correct / total))
