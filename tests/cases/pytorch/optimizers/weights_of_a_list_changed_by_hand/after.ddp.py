"""A training function is given the weights as a list, and an optimizer that it does without; batches are cut by hand."""
import random

import torch
import os
import torch.distributed as dist
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
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
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


def train(params=None, rate=None, optimizer=None):
    for parameter in params:
        dist.broadcast(parameter.data, src=0)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
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
            for parameter in params:
                if parameter.grad is not None:
                    dist.all_reduce(parameter.grad)
                    parameter.grad /= dist.get_world_size()
            if optimizer is None:
                descend(params, rate)
            else:
                optimizer.step()
            total += loss.item()
            steps += 1
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {total / steps:.6f}")


train(parameters, 0.03)
dist.destroy_process_group()
