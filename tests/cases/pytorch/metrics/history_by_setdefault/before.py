"""A history that makes its lists with setdefault, and a defaultdict of lists, are lists of losses."""
from collections import defaultdict
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

history, other = {}, defaultdict(list)
for epoch in range(2):
    for xb, yb in loader:
        output = model(xb)
        loss = criterion(output, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.setdefault("loss", []).append(loss.item())
        other["loss"].append(loss.item())
    print(epoch, history["loss"][-1], sum(other["loss"]) / len(other["loss"]))
