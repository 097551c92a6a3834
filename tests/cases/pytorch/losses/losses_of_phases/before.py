"""One of several lists takes the worst loss of each batch, and the loss is weighed by what another name of it holds."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
worst = {"early": [1.0], "late": [1.0]}

for epoch in range(3):
    phase = "early" if epoch < 1 else "late"
    for x, y in loader:
        optimizer.zero_grad()
        losses = nn.functional.cross_entropy(model(x), y, reduction="none")
        loss = losses.mean() / worst["early"][-1]
        loss.backward()
        optimizer.step()
        worst[phase].append(losses.max().item())
