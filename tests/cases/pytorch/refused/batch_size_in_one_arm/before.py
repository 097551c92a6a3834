"""The batch size is given on GPUs only: it is one on CPUs, and the call does not show it."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
use_cuda = torch.cuda.is_available()
kwargs = {'num_workers': 1, 'pin_memory': True, 'batch_size': 32} if use_cuda else {'shuffle': True}
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,))), **kwargs)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    print(epoch)
