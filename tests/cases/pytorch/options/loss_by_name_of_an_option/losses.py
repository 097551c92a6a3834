from torch import nn


class Squares(nn.Module):
    def forward(self, output, target):
        return ((output - target) ** 2).mean()


class Formula(nn.Module):
    def __init__(self, formula="output.pow(2).mean()"):
        super().__init__()
        self.formula = formula

    def forward(self, output, target):
        return eval(self.formula)
