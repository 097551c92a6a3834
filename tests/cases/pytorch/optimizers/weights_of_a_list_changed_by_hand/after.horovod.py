"""A training function is given the weights as a list, and an optimizer that it does without; batches are cut by hand."""
import random

import torch
import horovod.torch as hvd

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
random.seed(seed % 2**32)
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


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


def train(params=None, rate=None, optimizer=None):
    for parameter in params:
        hvd.broadcast_(parameter.data, root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for epoch in range(2):
        total, steps = 0.0, 0
        for inputs, wanted in (tuple(map(fill_and_share_rows, batch)) for batch in batches(12, features, targets)):
            outputs = inputs @ params[0] + params[1]
            loss = ((outputs[:, 0] - wanted) ** 2).mean()
            if optimizer is not None:
                optimizer.zero_grad()
            elif params is not None and params[0].grad is not None:
                for param in params:
                    param.grad.data.zero_()
            loss.backward()
            hvd.grouped_allreduce_([parameter.grad for parameter in params if parameter.grad is not None])
            if optimizer is None:
                descend(params, rate)
            else:
                optimizer.step()
            total += loss.item()
            steps += 1
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item() / hvd.size()
        if hvd.rank() == 0:
            print(f"epoch {epoch}: {total / steps:.6f}")


train(parameters, 0.03)
hvd.shutdown()
