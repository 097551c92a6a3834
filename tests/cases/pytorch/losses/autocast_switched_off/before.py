"""Mixed precision is switched off for a model's forward pass: there is nothing to convert about it."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(10, 2)

    @torch.autocast("cpu", enabled=False)
    def forward(self, x):
        return self.layer(x)


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,))), batch_size=32, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    print(epoch)
