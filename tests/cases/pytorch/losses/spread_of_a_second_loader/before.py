"""Two loaders are walked in step by zip (domain adaptation)."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

source = DataLoader(TensorDataset(torch.randn(640, 10), torch.randint(0, 2, (640,))), batch_size=32, shuffle=True)
target = DataLoader(TensorDataset(torch.randn(600, 10)), batch_size=32, shuffle=True)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for (xs, ys), (xt,) in zip(source, target):
        loss = nn.functional.cross_entropy(model(xs), ys) + 0.1 * model(xt).softmax(1).var(0).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
