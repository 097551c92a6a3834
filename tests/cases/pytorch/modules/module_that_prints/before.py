"""An own module writes a log line and a file when it is called during training: it would need an edit."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from helpers import log_epoch

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    total = total / len(loader)
    log_epoch(epoch, total)
