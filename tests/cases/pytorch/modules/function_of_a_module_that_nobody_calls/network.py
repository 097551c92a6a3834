import torch
from torch import nn


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x)


def main():
    print(Network()(torch.zeros(2, 4)).shape)


def show():
    print(Network())


if __name__ == "__main__":
    show()
