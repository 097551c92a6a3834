"""A function that is called between backward and step reads gradients."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(320, 6), torch.randint(0, 2, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def largest(module):
    gradients = [p.grad for p in module.parameters()]
    return max(g.abs().max().item() for g in gradients)


for epoch in range(2):
    top = 0.0
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        top = max(top, largest(model))
        optimizer.step()
    print(epoch, top)
