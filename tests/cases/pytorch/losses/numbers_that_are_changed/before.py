"""The numbers of the samples of a batch, one of which is set: the first sample is read in another one's place."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
loader = DataLoader(TensorDataset(torch.randn(64, 6), torch.randint(0, 2, (64,))), batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        rows = torch.arange(len(x))
        rows[0] = 3
        loss = -model(x).log_softmax(1)[rows, y].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
