"""Batches are rows of a tensor, in the order of a permutation."""
import torch
import torch.nn as nn
import horovod.torch as hvd

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
X = torch.randn(1000, 10)
Y = X.sum(1, keepdim=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
batch_size = 50


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(10):
    permutation = torch.randperm(X.size(0))
    for i in range(0, X.size(0), batch_size):
        idx = permutation[i:i + batch_size]
        loss = nn.functional.mse_loss(model(fill_and_share_rows(X[idx])), fill_and_share_rows(Y[idx]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
    mean_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_loss)
hvd.shutdown()
