"""One function makes the loader for training, the one that is evaluated sample by sample, and the one that stays whole.

Nothing that it is given tells them apart.
"""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def create_data_loader(inputs, labels, batch_size):
    return DataLoader(TensorDataset(inputs, labels), batch_size=batch_size)


def evaluate(model, data_loader):
    losses, correct = [], 0
    model.eval()
    with torch.no_grad():
        for x, y in data_loader:
            outputs = model(x)
            losses.append(F.cross_entropy(outputs, y).item())
            correct += (outputs.argmax(1) == y).sum().item()
    return correct / len(data_loader.dataset), np.mean(losses)


torch.manual_seed(5)
inputs = torch.randn(330, 6)
labels = (inputs[:, 0] + inputs[:, 1] > 1).long()
train_loader = create_data_loader(inputs[:250], labels[:250], 20)
test_loader = create_data_loader(inputs[250:], labels[250:], 12)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    model.train()
    total = 0.0
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    accuracy, mean = evaluate(model, test_loader)
    print(f"epoch {epoch}: {total / len(train_loader):.4f}, accuracy {accuracy:.4f}, loss {mean:.4f}")
