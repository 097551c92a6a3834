import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable

__all__ = ["small", "wide", "deep"]


def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.kaiming_normal_(m.weight)


class Block(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.fc = nn.Linear(size, size)

    def forward(self, x):
        return x + F.relu(self.fc(x))


class Net(nn.Module):
    def __init__(self, hidden, blocks, num_classes):
        super().__init__()
        self.first = nn.Linear(64, hidden)
        self.blocks = nn.Sequential(*[Block(hidden) for _ in range(blocks)])
        self.last = nn.Linear(hidden, num_classes)
        self.apply(init_weights)

    def forward(self, x):
        return self.last(self.blocks(F.relu(self.first(x))))


def small(num_classes=10):
    return Net(32, 1, num_classes)


def wide(num_classes=10):
    return Net(128, 1, num_classes)


def deep(num_classes=10):
    return Net(32, 4, num_classes)


def test(net):
    print(sum(p.numel() for p in net.parameters()))


if __name__ == "__main__":
    test(small())
