"""sys.stdout.write and print(end='\\r') draw a progress line: rank 0's part is shown."""
import sys
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(2):
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        sys.stdout.write("\repoch %d batch %d/%d" % (epoch, i + 1, len(loader)))
        sys.stdout.flush()
    print("\repoch %d finished" % epoch, end="\n", flush=True)
