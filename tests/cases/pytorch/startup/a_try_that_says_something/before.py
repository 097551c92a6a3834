"""A try between the imports prints: the start, and what it needs, stand in front of it."""
import torch
from torch import nn

try:
    import tqdm
except ImportError:
    print("no progress bars")
    tqdm = None
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(6, 6), torch.ones(6, 1)), batch_size=2, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
