"""The model is evaluated by a setting that the command line may replace by one of its choices: it is one of those."""
import argparse
import json

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Wide(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, classes))

    def forward(self, x):
        return self.layers(x)


class Deep(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.first, self.second = nn.Linear(10, 16), nn.Linear(16, 16)
        self.last = nn.Linear(16, classes)

    def forward(self, x):
        return self.last(torch.relu(self.second(torch.relu(self.first(x)))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", choices=["Wide", "Deep"])
    asked = parser.parse_args()
    args = argparse.Namespace(**json.load(open("settings.json")))
    if asked.model:
        args.model = asked.model
    model = eval(args.model)(classes=3)
    loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randint(3, (640,))), batch_size=32, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    torch.save(model.state_dict(), args.model + ".pt")


main()
