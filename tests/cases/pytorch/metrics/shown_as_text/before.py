"""An object whose text shows the parts of a metric that it holds is reviewed, however the text is made."""
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

class Progress:
    def __init__(self):
        self.meters = {}

    def update(self, **metrics):
        for name, value in metrics.items():
            self.meters.setdefault(name, []).append(value)

    def __str__(self):
        return " ".join(f"{name} {sum(values) / len(values):.4f}" for name, values in self.meters.items())


progress = Progress()
for epoch in range(2):
    for xb, yb in loader:
        output = model(xb)
        loss = criterion(output, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        progress.update(loss=loss.item())
    print(f"epoch {epoch}: {progress}")
    print("so far:", progress)
