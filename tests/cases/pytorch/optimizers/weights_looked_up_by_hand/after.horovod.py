"""Rows of a table are looked up, and the table is one of the tensors that the script changes itself."""
import torch
import horovod.torch as hvd

hvd.init()
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
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


for parameter in params:
    hvd.broadcast_(parameter.data, root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    for i in range(0, 100, 10):
        t = fill_and_share_rows(tokens[i : i + 10])
        y = fill_and_share_rows(labels[i : i + 10])
        loss = ((E[t].sum(1) + b - y) ** 2).mean()
        loss.backward()
        hvd.grouped_allreduce_([parameter.grad for parameter in params if parameter.grad is not None])
        sgd(params, 0.03)
if hvd.rank() == 0:
    print(E, b)
hvd.shutdown()
