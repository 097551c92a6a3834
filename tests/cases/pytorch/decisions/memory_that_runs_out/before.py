"""Training that begins again with less memory, where it has run out: one process cannot do that by itself."""
import argparse
import logging

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--load", default=None)
args = parser.parse_args()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(6, 8)
        self.out = nn.Linear(8, 2)
        self.saves_memory = False

    def forward(self, x):
        return self.out(self.hidden(x).relu())


def train_model(model, epochs):
    data = TensorDataset(torch.randn(64, 6), torch.randint(0, 2, (64,)))
    loader = DataLoader(data, batch_size=32, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        for x, y in loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()


torch.manual_seed(1)
model = Net()
if args.load:
    model.load_state_dict(torch.load(args.load))
try:
    train_model(model, args.epochs)
except torch.cuda.OutOfMemoryError:
    logging.error("Memory has run out, trying again")
    torch.cuda.empty_cache()
    model.saves_memory = True
    train_model(model, args.epochs)
