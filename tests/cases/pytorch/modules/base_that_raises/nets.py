from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def forward(self, x):
        raise NotImplementedError


class Narrow(Net):
    def __init__(self, width):
        super().__init__(width)
        self.layer = nn.Linear(width, 2)

    def forward(self, x):
        return self.layer(x)


class Wide(Net):
    def __init__(self, width):
        super().__init__(width)
        self.first, self.second = nn.Linear(width, 32), nn.Linear(32, 2)

    def forward(self, x):
        return self.second(self.first(x).relu())
