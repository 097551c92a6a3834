"""A counter goes on over the epochs: its whole gets a name of its own."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
train_set = TensorDataset(torch.randn(128, 6), torch.randint(0, 3, (128,)))
test_set = TensorDataset(torch.randn(51, 6), torch.randint(0, 3, (51,)))
train_loader = DataLoader(train_set, batch_size=16, shuffle=True)
test_loader = DataLoader(test_set, batch_size=16)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

global_step = 0
examples_seen = 0
for epoch in range(2):
    for x, y in train_loader:
        optimizer.zero_grad()
        out = model(x)
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
        global_step += 1
        examples_seen += len(x)
        if global_step % 5 == 0:
            print(global_step, examples_seen, loss.item())
print("total", examples_seen)
