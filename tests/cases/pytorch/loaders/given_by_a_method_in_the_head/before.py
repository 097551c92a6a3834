"""A method makes a new loader for each epoch, in the head of the loop in a function."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Data:
    def __init__(self, features, labels):
        self.samples = TensorDataset(features, labels)

    def train_dataloader(self):
        return DataLoader(self.samples, batch_size=16, shuffle=True)


def train(model, data, optimizer, epoch):
    for number, (features, labels) in enumerate(data.train_dataloader()):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(features), labels)
        loss.backward()
        optimizer.step()


torch.manual_seed(0)
x = torch.randn(96, 6)
data = Data(x, (x[:, 0] > 0).long())
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    train(model, data, optimizer, epoch)
