"""A history in which a label says what is added where cannot be reduced: refused."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
inputs = torch.randn(200, 8)
loader = DataLoader(TensorDataset(inputs, (inputs.sum(1) > 0).long()), batch_size=20, shuffle=True)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
epochs = 2
losses = [0.0] * epochs

for epoch in range(epochs):
    for batch, labels in loader:
        output = model(batch)
        loss = criterion(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses[int(labels[0])] += loss.item()
    print(losses)
