"""The module of the model is imported by a name that the settings have."""
import importlib
from collections import OrderedDict

import torch
from torch.utils.data import DataLoader, TensorDataset


def settings():
    model = OrderedDict([("module", "nets"), ("width", 8)])
    return OrderedDict([("model", model), ("epochs", 2)])


def load_model(config):
    module = importlib.import_module(config["module"])
    network = getattr(module, "Network")
    return network(config)


def main():
    config = settings()
    torch.manual_seed(1)
    rows = TensorDataset(torch.randn(64, 6), torch.randn(64, 1))
    loader = DataLoader(rows, batch_size=16, shuffle=True)
    model = load_model(config["model"])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(config["epochs"]):
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    main()
