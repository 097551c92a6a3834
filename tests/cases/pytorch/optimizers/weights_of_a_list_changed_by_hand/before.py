"""A training function is given the weights as a list, and an optimizer that it does without; batches are cut by hand."""
import random

import torch

features = torch.randn(120, 2)
targets = features @ torch.tensor([2.0, -3.4]) + 4.2
parameters = [torch.randn(2, 1).mul_(0.01).requires_grad_(), torch.zeros(1, requires_grad=True)]


def batches(size, features, targets):
    places = list(range(len(features)))
    random.shuffle(places)
    for start in range(0, len(places), size):
        chosen = torch.LongTensor(places[start : start + size])
        yield features.index_select(0, chosen), targets.index_select(0, chosen)


def descend(params, rate):
    """A step downhill."""
    for param in params:
        param.data.sub_(rate * param.grad)
        param.grad.data.zero_()


def train(params=None, rate=None, optimizer=None):
    for epoch in range(2):
        total, steps = 0.0, 0
        for inputs, wanted in batches(12, features, targets):
            outputs = inputs @ params[0] + params[1]
            loss = ((outputs[:, 0] - wanted) ** 2).mean()
            if optimizer is not None:
                optimizer.zero_grad()
            elif params is not None and params[0].grad is not None:
                for param in params:
                    param.grad.data.zero_()
            loss.backward()
            if optimizer is None:
                descend(params, rate)
            else:
                optimizer.step()
            total += loss.item()
            steps += 1
        print(f"epoch {epoch}: {total / steps:.6f}")


train(parameters, 0.03)
