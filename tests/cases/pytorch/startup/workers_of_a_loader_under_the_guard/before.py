"""Nothing but definitions stands in front of the guard: workers may import the file."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_loader():
    features = torch.randn(64, 4)
    data = TensorDataset(features, (features[:, 0] > 0).long())
    return DataLoader(data, batch_size=16, shuffle=True, num_workers=2, drop_last=True)


if __name__ == "__main__":
    torch.manual_seed(0)
    loader = make_loader()
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for inputs, labels in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
