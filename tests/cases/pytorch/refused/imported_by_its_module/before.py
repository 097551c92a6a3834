"""A module takes a setting from the script, which Python runs a second time for it."""

import torch
from torch.utils.data import DataLoader, TensorDataset

import net

width = 4

if __name__ == "__main__":
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.randn(64, width), torch.randn(64, 1)), batch_size=8, shuffle=True)
    model = net.make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
