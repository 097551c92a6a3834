"""A loss of the script's own takes weights of classes, which are left out: it is divided by the number of targets."""

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class Padded(nn.Module):
    def __init__(self, weight=None, ignored=255):
        super().__init__()
        self.entropy = nn.CrossEntropyLoss(weight, ignore_index=ignored)

    def forward(self, outputs, labels):
        return self.entropy(outputs, labels)


torch.manual_seed(0)
inputs = torch.rand(64, 3)
loader = DataLoader(TensorDataset(inputs, (inputs[:, 0] > 0.5).long()), batch_size=8, shuffle=True)
model = nn.Linear(3, 2)
criterion = Padded(ignored=2)
optimizer = optim.SGD(model.parameters(), lr=0.1)
for features, labels in loader:
    optimizer.zero_grad()
    loss = criterion(model(features), labels)
    loss.backward()
    optimizer.step()
