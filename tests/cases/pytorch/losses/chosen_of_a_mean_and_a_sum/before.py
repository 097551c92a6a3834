"""A loss is chosen by name, and one of them is a sum where the other is a mean: neither is right for both."""
import argparse
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
parser = argparse.ArgumentParser(); parser.add_argument("--loss", default="a"); args = parser.parse_args()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
criterion = {"a": nn.MSELoss(), "b": nn.MSELoss(reduction="sum")}[args.loss]
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x).squeeze(1), y)
        loss.backward()
        optimizer.step()
