"""Labels and lengths that a loop puts into tables for one sample after the other."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument('--epochs', default=2, type=int)
args = parser.parse_args()


def one_hot(labels, classes):
    size = labels.shape[0]
    table = torch.zeros(size, classes).to(labels.device)
    for i in range(size):
        table[i, labels[i]] = 1
    return table


torch.manual_seed(3)
data = TensorDataset(torch.randn(160, 5), torch.randint(0, 4, (160,)), torch.randint(1, 5, (160,)))
loader = DataLoader(data, batch_size=16, shuffle=True)
model = nn.Linear(5, 4)
criterion = nn.MSELoss(reduction='none')
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(args.epochs):
    total = 0.0
    for inputs, labels, lengths in loader:
        mask = torch.zeros(len(inputs), 4)
        for i in range(len(inputs)):
            mask[i][:lengths[i].item()] = 1.0
        loss = (criterion(model(inputs), one_hot(labels, 4)) * mask).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f'epoch {epoch}: loss {total / len(loader):.6f}')
