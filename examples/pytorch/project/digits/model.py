"""The models to choose from."""

import torch.nn as nn


class MLP(nn.Module):
    """One hidden layer."""

    def __init__(self, hidden=64):
        super().__init__()
        self.layers = nn.Sequential(nn.Flatten(), nn.Linear(64, hidden), nn.ReLU(), nn.Linear(hidden, 10))

    def forward(self, x):
        return self.layers(x)


class ConvNet(nn.Module):
    """Two convolutions."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3), nn.ReLU(), nn.MaxPool2d(2)
        )
        self.head = nn.Linear(288, 10)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


MODELS = {"mlp": MLP, "conv": ConvNet}


def make_model(config):
    """The model that the configuration names."""
    return MODELS[config.model]()
