"""The length of the window is drawn for each step: without a shared draw ranks take different numbers of steps."""
import numpy as np
import torch
import torch.nn as nn
import horovod.torch as hvd

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
np.random.seed(seed % 2**32)
corpus = torch.randint(0, 40, (2000, 16))
model = nn.Sequential(nn.Embedding(40, 16), nn.Linear(16, 40))
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    i = 0
    while i < corpus.size(0) - 2:
        length = max(5, int(np.random.normal(35, 5)))
        length = min(length, corpus.size(0) - 1 - i)
        x, y = fill_and_share_rows(corpus[i:i + length]), fill_and_share_rows(corpus[i + 1:i + 1 + length])
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x).reshape(-1, 40), y.reshape(-1)).backward()
        optimizer.step()
        i += length
hvd.shutdown()
