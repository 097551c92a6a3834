from torch import nn


class WaveNet(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.hidden = nn.Linear(32, hidden)
        self.out = nn.Linear(hidden, 3)

    def forward(self, x):
        return self.out(self.hidden(x).relu())


def count_parameters(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)
