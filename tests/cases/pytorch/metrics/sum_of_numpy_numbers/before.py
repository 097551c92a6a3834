"""Sums of NumPy numbers stay numbers of NumPy: a tensor could not be dumped as JSON, a float has no dtype."""
import json
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

history = []
for epoch in range(2):
    total, correct = 0.0, 0
    for xb, yb in loader:
        output = model(xb)
        loss = criterion(output, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach().cpu().numpy() * len(xb)
        correct += (output.argmax(1) == yb).numpy().sum()
    history.append(total / 320)
    print(epoch, total / 320, total.dtype, correct / 320)
json.dump(history, open("history.json", "w"))
