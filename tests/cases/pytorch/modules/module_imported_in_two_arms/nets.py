from torch import nn


class Net(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.hidden = nn.Linear(6, features)
        self.out = nn.Linear(features, 2)

    def forward(self, x):
        return self.out(self.hidden(x).relu())


def small():
    return Net(4)


def large():
    return Net(16)
