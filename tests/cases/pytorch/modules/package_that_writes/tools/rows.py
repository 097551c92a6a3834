import torch


def rows(count):
    x = torch.randn(count, 8)
    return x, x.sum(1, keepdim=True)
