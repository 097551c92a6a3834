"""Several statements share a line, joined by semicolons: what is inserted must keep their order."""
import torch; import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.randn(320, 10); y = torch.randn(320, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True); model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1); criterion = nn.MSELoss()
for epoch in range(3):
    total = 0.0; seen = 0
    for xb, yb in loader:
        optimizer.zero_grad(); loss = criterion(model(xb), yb); loss.backward(); optimizer.step()
        total += loss.item() * len(xb); seen += len(xb)
    print("epoch", epoch); print("loss", total / seen); torch.save(model.state_dict(), "m.pt")
