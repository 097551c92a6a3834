"""A module has a function of the same name as one of the script, and another that only its own main part calls: neither is called here, and nothing is said of what it prints."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from network import Network

data = TensorDataset(torch.randn(32, 4), torch.randint(0, 2, (32,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = Network()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def main():
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


if __name__ == "__main__":
    main()
