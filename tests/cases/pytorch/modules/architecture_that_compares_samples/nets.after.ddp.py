import torch.nn as nn
import torch
import torch.distributed as dist


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(784, 10)

    def forward(self, x):
        return self.fc(x)


class SumOverProcesses(torch.autograd.Function):
    @staticmethod
    def forward(ctx, value):
        total = value.contiguous().clone()
        dist.all_reduce(total)
        return total

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        total = gradient.contiguous().clone()
        dist.all_reduce(total)
        return total


def mean_over_processes(value):
    return SumOverProcesses.apply(value) / dist.get_world_size()


class Centred(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(784, 10)

    def forward(self, x):
        return self.fc(x - mean_over_processes(x.mean(0)))
