"""A loop over one loader takes batches of another one besides."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


def main():
    x = torch.randn(96, 5)
    y = x.sum(1, keepdim=True)
    source = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    target = DataLoader(TensorDataset(x[:48] + 1), batch_size=16, shuffle=True)
    model = nn.Linear(5, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        others = iter(target)
        for i, (inputs, targets) in enumerate(source):
            try:
                (shifted,) = next(others)
            except StopIteration:
                others = iter(target)
                (shifted,) = next(others)
            loss = F.mse_loss(model(inputs), targets) + model(shifted).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    main()
