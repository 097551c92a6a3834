"""A model, told from a function by its type, is switched to evaluation and back in each round: its buffers are sent before."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def measured(net, batches):
    right, count = 0.0, 0
    with torch.no_grad():
        for x, y in batches:
            if isinstance(net, nn.Module):
                net.eval()
                right += (net(x).argmax(1) == y).float().sum().item()
                net.train()
            else:
                right += (net(x).argmax(1) == y).float().sum().item()
            count += len(y)
    return right / count


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,))), batch_size=64, shuffle=True)
held_out = DataLoader(TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,))), batch_size=50)
model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    print(epoch, measured(model, held_out))
