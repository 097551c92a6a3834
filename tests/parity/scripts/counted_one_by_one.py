"""Samples that a loop counts one after the other, in training and in an evaluation."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument('--epochs', default=2, type=int)
args = parser.parse_args()

torch.manual_seed(11)
x = torch.randn(250, 5)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
loader = DataLoader(TensorDataset(x[:160], y[:160]), batch_size=16, shuffle=True)
held_out = DataLoader(TensorDataset(x[160:], y[160:]), batch_size=16)
model = nn.Linear(5, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(args.epochs):
    right = 0
    for inputs, labels in loader:
        output = model(inputs)
        loss = criterion(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for i in range(len(output)):
            if torch.argmax(output[i]) == labels[i]:
                right += 1
    print(f'epoch {epoch}: {right / len(loader.dataset):.6f}')
    known = 0
    with torch.no_grad():
        for inputs, labels in held_out:
            predicted = model(inputs).argmax(1)
            for i in range(labels.size(0)):
                if predicted[i].item() == labels[i].item():
                    known += 1
    print(f'known {known} of {len(held_out.dataset)}')
