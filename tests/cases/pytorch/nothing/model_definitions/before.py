"""A module of model classes only."""
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        return x + F.relu(self.norm(self.conv(x)))


class Tower(nn.Module):
    def __init__(self, depth=4, channels=16):
        super().__init__()
        self.blocks = nn.Sequential(*[Block(channels) for _ in range(depth)])

    def forward(self, x):
        return self.blocks(x)
