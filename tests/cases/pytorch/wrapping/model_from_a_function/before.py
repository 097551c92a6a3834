"""The model is made by a function with branches; the wrapper stands after the model reaches its device."""
import argparse
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def build_model(name):
    if name == "linear":
        return nn.Linear(12, 4)
    elif name == "mlp":
        return nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 4))
    raise ValueError("unknown model " + name)


def main(args):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = build_model(args.model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    model.to(device)
    loader = DataLoader(TensorDataset(torch.randn(400, 12), torch.randint(0, 4, (400,))), batch_size=40, shuffle=True)
    for epoch in range(args.epochs):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="mlp")
    parser.add_argument("--epochs", type=int, default=4)
    main(parser.parse_args())
