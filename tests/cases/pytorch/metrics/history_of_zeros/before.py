"""A history of zeros, one for each epoch, to which sums and means are added: each is reduced where it is shown."""

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
hits = epochs * [0]

for epoch in range(epochs):
    for batch, labels in loader:
        output = model(batch)
        loss = criterion(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses[epoch] += loss.item() * len(labels)
        hits[epoch] += (output.argmax(1) == labels).sum().item()
    losses[epoch] /= len(loader.dataset)
    print(f"{losses[epoch]:.4f}", hits[epoch] / len(loader.dataset))
print(losses)
