"""A batch that raises is skipped: one process alone would skip the step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
y[77] = 5  # a wrong label in the data
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    total = 0.0
    for xb, yb in loader:
        try:
            loss = criterion(model(xb), yb)
        except (RuntimeError, IndexError) as e:
            print("skipping a batch:", e)
            continue
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print(epoch, total)
torch.save(model.state_dict(), "m.pt")
