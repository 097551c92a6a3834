"""Rows of a table are looked up, and the table is one of the tensors that the script changes itself."""
import torch
import os
import torch.distributed as dist
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
tokens = torch.randint(0, 7, (100,))
labels = torch.randn(100)
E = torch.randn(7, 3)
b = torch.zeros(1)
params = [E, b]
for p in params:
    p.requires_grad_(True)


def sgd(params, lr):
    for param in params:
        param.data -= lr * param.grad
        param.grad.zero_()


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


for parameter in params:
    dist.broadcast(parameter.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    for i in range(0, 100, 10):
        t = fill_and_share_rows(tokens[i : i + 10])
        y = fill_and_share_rows(labels[i : i + 10])
        loss = ((E[t].sum(1) + b - y) ** 2).mean()
        loss.backward()
        for parameter in params:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        sgd(params, 0.03)
if dist.get_rank() == 0:
    print(E, b)
dist.destroy_process_group()
