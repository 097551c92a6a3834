"""The letters mps are a unit, a key and the name of a column: nothing is said of a device."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Wind:
    def to(self, unit):
        return f"in {unit}"


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
speed = {"mps": 3.0, "unit": "mps"}
print("wind in", "mps", speed["mps"], speed["unit"], Wind().to("mps"))
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x.to(device)), y.to(device)).backward()
        optimizer.step()
