"""A network whose weights can be pruned."""

from torch import nn


class Masked(nn.Linear):
    def prune(self, threshold):
        self.weight.data = self.weight.data * (self.weight.data.abs() > threshold)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = Masked(10, 16), Masked(16, 3)

    def forward(self, x):
        return self.last(self.first(x).relu())

    def prune_all(self, share):
        for name, module in self.named_modules():
            if name in ("first", "last"):
                threshold = module.weight.data.std() * share
                print(f"{name}: below {threshold:.3f}")
                module.prune(threshold)
