"""Each process has every N-th row of a batch that is cut by hand; they are put in order before they are compared."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
train_x, train_y = torch.randn(64, 6), torch.randn(64)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]




class GatherBatch(torch.autograd.Function):
    @staticmethod
    def forward(ctx, values):
        return hvd.allgather(values.contiguous()).unflatten(0, (hvd.size(), -1)).transpose(0, 1).flatten(0, 1)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        return hvd.allreduce(gradient.contiguous(), op=hvd.Sum)[hvd.rank() :: hvd.size()]


def gather_batch(values):
    return GatherBatch.apply(values)


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    order = torch.randperm(len(train_x))
    for start in range(0, len(train_x), 16):
        rows = order[start : start + 16]
        x, y = fill_and_share_rows(train_x[rows]), fill_and_share_rows(train_y[rows])
        y = gather_batch(y)
        out = gather_batch(model(x).squeeze(-1))
        loss = F.margin_ranking_loss(out[:-1], out[1:], torch.sign(y[:-1] - y[1:]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
