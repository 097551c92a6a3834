"""A hook on a gradient sees it before the average over processes."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(320, 6), torch.randint(0, 2, (320,))), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
norms = []
for parameter in model.parameters():
    parameter.register_post_accumulate_grad_hook(lambda p: norms.append(p.grad.norm().item()))
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print(sum(norms) / len(norms))
