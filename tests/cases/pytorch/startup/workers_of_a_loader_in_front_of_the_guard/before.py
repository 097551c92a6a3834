"""The loader is made in front of the guard: a worker that is spawned would import the file and start, and that is told."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
features = torch.randn(64, 4)
loader = DataLoader(TensorDataset(features, (features[:, 0] > 0).long()), batch_size=16, shuffle=True, num_workers=2)

if __name__ == "__main__":
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for inputs, labels in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
