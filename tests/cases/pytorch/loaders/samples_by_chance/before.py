"""The data set does not look at the index, either, but takes rows by chance: other ones on each process."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self):
        self.rows = torch.randn(64, 4)
        self.place, self.asked = 0, 0

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = self.rows[torch.randint(len(self.rows), ())]
        return row, row.sum().unsqueeze(0)


loader = DataLoader(Rows(), batch_size=8)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
