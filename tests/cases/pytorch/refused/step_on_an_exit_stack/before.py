"""What is suppressed by a manager on an ExitStack skips a step on one process."""

from contextlib import ExitStack, suppress

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(240, 8)
y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    for a, b in loader:
        with ExitStack() as stack:
            stack.enter_context(suppress(RuntimeError))
            optimizer.zero_grad()
            loss = F.cross_entropy(model(a), b)
            loss.backward()
            optimizer.step()
