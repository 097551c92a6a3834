"""A loader with ** arguments cannot be changed to whole batches: every process evaluates all."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
loader = DataLoader(data, batch_size=64, shuffle=True)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
options = {"batch_size": 50}
options.update({"num_workers": 0, "shuffle": False})
held = TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,)))
held_out = DataLoader(held, **options)
for epoch in range(2):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    loss_sum = 0
    for x, y in held_out:
        loss_sum += criterion(model(x), y).item()
    print(loss_sum / len(held_out))
