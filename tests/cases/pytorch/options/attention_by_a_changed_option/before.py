"""An option that the script sets between the model and its call: what one condition has found, the other need not."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Forecaster(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.give_attention = config.give_attention
        self.score = nn.Linear(4, 1)
        self.head = nn.Linear(4, 4)

    def forward(self, x):
        attention = torch.softmax(self.score(x), dim=1)
        outputs = self.head((attention * x).sum(dim=1))
        if self.give_attention:
            return attention, outputs
        return outputs


parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--give-attention", action="store_true")
config = parser.parse_args()

torch.manual_seed(3)
loader = DataLoader(TensorDataset(torch.randn(64, 6, 4), torch.randn(64, 4)), batch_size=16, shuffle=True)
model = Forecaster(config)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
config.give_attention = True
for epoch in range(config.epochs):
    for x, y in loader:
        if config.give_attention:
            outputs = model(x)[1]
        else:
            outputs = model(x)
        loss = criterion(outputs, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
