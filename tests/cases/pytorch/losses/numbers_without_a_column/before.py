"""The targets of the data set are plain numbers, so that a batch of them has no column, as the scores have."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __len__(self):
        return 128

    def __getitem__(self, i):
        return torch.tensor([i / 100, 1.0]), torch.tensor(float(i % 2))


loader = DataLoader(Pairs(), batch_size=16)
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
