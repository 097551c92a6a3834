"""Windows that are shown later are rank 0's, like what they are shown by."""

import torch
import torch.nn.functional as F
from visdom import Visdom
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
viz = Visdom(env="digits")
window = viz.line([0.0], [0.0], opts=dict(title="loss"))

for epoch in range(2):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        if step % 4 == 0:
            viz.line([loss.item()], [step], win=window, update="append")
    viz.text(f"epoch {epoch}: {total / len(loader)}", win="log")
