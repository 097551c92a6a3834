"""The network is evaluated by a choice of a subcommand, its weights by names that are put together; another bar."""

import argparse

import torch
from rich.progress import track
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def set_weights(lstm):
    for number in range(lstm.num_layers):
        nn.init.uniform_(eval("lstm.weight_ih_l" + str(number)), -0.3, 0.3)
        eval("lstm.bias_hh_l" + str(number)).data.zero_()


class Rows(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.lstm = nn.LSTM(8, width, num_layers=2, batch_first=True)
        set_weights(self.lstm)
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        return self.head(self.lstm(x)[0][:, -1])


class Flat(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Flatten(), nn.Linear(64, width), nn.ReLU(), nn.Linear(width, 10))

    def forward(self, x):
        return self.layers(x)


def show(args):
    print(torch.load(args.path).keys())


def train(args):
    torch.manual_seed(2)
    digits = load_digits()
    images = torch.tensor(digits.data[:512] / 16, dtype=torch.float32).view(-1, 8, 8)
    data = TensorDataset(images, torch.tensor(digits.target[:512]))
    loader = DataLoader(data, batch_size=32, shuffle=True)
    network = eval(args.network)
    model = network(24)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for epoch in range(2):
        total = 0.0
        for x, y in track(loader, description=f"epoch {epoch}"):
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(x)
        print(f"epoch {epoch}: loss {total / len(data):.4f}")
    torch.save(model.state_dict(), args.path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--path", default="model.pt")
    commands = parser.add_subparsers()
    shown = commands.add_parser("show")
    shown.set_defaults(handler=show)
    trained = commands.add_parser("train")
    trained.add_argument("--network", choices=["Rows", "Flat"], required=True)
    trained.set_defaults(handler=train)
    args = parser.parse_args()
    args.handler(args)


main()
