"""An option decides what the model gives, and in what way it is called: each call gives one thing."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Forecaster(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.give_attention = config.give_attention
        self.ahead = config.ahead
        self.score = nn.Linear(4, 1)
        self.head = nn.Linear(4, 4)

    def forward(self, x):
        attention = torch.softmax(self.score(x), dim=1)
        outputs = self.head(x + (attention * x).sum(dim=1, keepdim=True))[:, -self.ahead :, :]
        if self.give_attention:
            return outputs, attention
        return outputs


def forecast(config, model, x, y):
    filling = torch.zeros([y.shape[0], config.ahead, y.shape[-1]])
    x = torch.cat([x, filling], dim=1)
    if config.give_attention:
        outputs = model(x)[0]
    else:
        outputs = model(x)
    return outputs


def errors(config, model, loader, criterion):
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            outputs = forecast(config, model, x, y)
            total += criterion(outputs, y).item() * len(y)
    return total / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--ahead", type=int, default=3)
    parser.add_argument("--give-attention", action="store_true")
    config = parser.parse_args()

    torch.manual_seed(3)
    rows = TensorDataset(torch.randn(64, 6, 4), torch.randn(64, 3, 4))
    loader = DataLoader(rows, batch_size=16, shuffle=True)
    held_out = DataLoader(TensorDataset(torch.randn(20, 6, 4), torch.randn(20, 3, 4)), batch_size=16)
    model = Forecaster(config)
    criterion = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(config.epochs):
        for x, y in loader:
            loss = criterion(forecast(config, model, x, y), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {errors(config, model, held_out, criterion):.4f}")


if __name__ == "__main__":
    main()
