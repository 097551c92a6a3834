"""torch's names come by star imports; the classes are still torch's."""
import torch
from torch.nn import *
from torch.optim import *
from torch.utils.data import *

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = Sequential(Linear(10, 8), ReLU(), Linear(8, 1))
criterion = MSELoss()
optimizer = Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
