import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, inputs, classes):
        super().__init__()
        self.hidden = nn.Linear(inputs, 24)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(24, classes)

    def forward(self, x):
        return F.log_softmax(self.out(self.drop(F.relu(self.hidden(x)))), dim=1)
