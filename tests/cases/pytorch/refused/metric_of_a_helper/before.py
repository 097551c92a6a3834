"""A number of unknown making is summed over training batches and decides which model is kept."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
loader = DataLoader(data, batch_size=64, shuffle=True)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
import sklearn.metrics


def count_right(out, y):
    return int(len(y) * sklearn.metrics.balanced_accuracy_score(y.numpy(), out.argmax(1).numpy()))


best = 0
for epoch in range(2):
    right = 0
    for x, y in loader:
        out = model(x)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        right += count_right(out, y)
    acc = right / len(data)
    if acc > best:
        best = acc
        torch.save(model.state_dict(), "best.pt")
    print("train", acc, best)
