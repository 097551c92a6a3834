"""Each batch is one tensor, as each sample is: its first item is no part of it, but its first sample."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Signals(Dataset):
    def __init__(self):
        self.rows = torch.randn(64, 8)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


torch.manual_seed(0)
loader = DataLoader(Signals(), batch_size=16, shuffle=True)
model = nn.Linear(8, 8)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        first = batch[0]
        optimizer.zero_grad()
        loss = criterion(model(first), first)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
