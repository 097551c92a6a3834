"""Scores of scikit-learn for each batch: averages over its samples, and a number of samples."""
import argparse

import torch
from sklearn.metrics import accuracy_score, mean_absolute_error
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument('--epochs', default=2, type=int)
args = parser.parse_args()

torch.manual_seed(7)
x = torch.randn(160, 5)
loader = DataLoader(TensorDataset(x, (x[:, 0] + x[:, 1] > 0).long()), batch_size=16, shuffle=True)
model = nn.Linear(5, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(args.epochs):
    accuracy, right, distance = 0.0, 0, 0.0
    for inputs, labels in loader:
        output = model(inputs)
        loss = criterion(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        predicted = torch.max(output.data, 1)[1].cpu()
        accuracy += accuracy_score(labels.cpu().numpy(), predicted.numpy())
        right += accuracy_score(labels, predicted, normalize=False)
        distance += mean_absolute_error(labels, predicted)
    print(f'epoch {epoch}: {accuracy / len(loader):.6f} {right / len(loader.dataset):.6f}')
    print(f'distance {distance / len(loader):.6f}')
