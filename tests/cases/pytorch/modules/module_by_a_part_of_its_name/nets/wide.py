from torch import nn


class Settings:
    def __init__(self, features):
        self.features = features
        self.batch_size = 32
        self.width = 64
        self.rate = 0.05


class Network(nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.first = nn.Linear(settings.features, settings.width)
        self.last = nn.Linear(settings.width, 1)

    def forward(self, x):
        return self.last(self.first(x).relu())
