"""A metric object that gathers is computed under a condition that differs between processes."""

import torch
import torch.nn.functional as F
from torchmetrics import Accuracy
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
held_out = DataLoader(TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,))), batch_size=8)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accuracy = Accuracy(task="multiclass", num_classes=3)
for epoch in range(2):
    for x, y in loader:
        output = model(x)
        loss = F.cross_entropy(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        accuracy.update(output, y)
        if output.max().item() > 1:
            print(accuracy.compute())
