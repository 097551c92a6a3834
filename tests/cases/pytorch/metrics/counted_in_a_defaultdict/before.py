"""Hits are counted in a table of tables, which makes a new counter when it is asked for one."""
from collections import defaultdict

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(512, 20), torch.randint(0, 3, (512,))), batch_size=32, shuffle=True)
model = nn.Linear(20, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    stats = defaultdict(lambda: defaultdict(int))
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        stats["train"]["hits"] += (output.argmax(1) == y).sum().item()
    print(stats["train"]["hits"] / len(loader.dataset))
