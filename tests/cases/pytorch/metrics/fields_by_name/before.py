"""Fields that are set by a name that the text does not show are unequal afterwards."""
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

class State:
    loss = 0.0
    seen = 0


state, other = State(), State()
for epoch in range(2):
    for xb, yb in loader:
        output = model(xb)
        loss = criterion(output, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for name, value in {"loss": loss.item(), "seen": len(xb)}.items():
            setattr(state, name, value)
        other.__dict__.update(loss=loss.item())
    print(epoch, state.loss)
    print(epoch, vars(other)["loss"])
