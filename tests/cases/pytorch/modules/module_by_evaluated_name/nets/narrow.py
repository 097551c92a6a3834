from torch import nn


class Narrow(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, classes))

    def forward(self, x):
        return self.net(x)


def make(classes):
    return Narrow(classes)
