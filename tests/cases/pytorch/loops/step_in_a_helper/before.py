"""The step itself is a helper that takes one batch and returns its loss; the loops stay outside."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_step(model, optimizer, batch):
    x, y = batch
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def main():
    x = torch.rand(900, 2)
    y = (x[:, :1] * x[:, 1:]).sqrt()
    loader = DataLoader(TensorDataset(x, y), batch_size=45, shuffle=True)
    model = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(10):
        epoch_loss = 0.0
        for batch in loader:
            epoch_loss += train_step(model, optimizer, batch)
        print(f"{epoch:3d} {epoch_loss / len(loader):.5f}")


main()
