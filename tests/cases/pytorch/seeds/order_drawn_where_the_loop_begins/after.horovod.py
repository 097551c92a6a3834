"""The order of all batches is drawn once, in the head of the training loop: it must be the same on all processes."""

import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
features = torch.randn(64, 4)
labels = (features[:, 0] > 0).long()
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for rows in torch.randperm(64).split(8):
    loss = criterion(model(fill_and_share_rows(features[rows])), fill_and_share_rows(labels[rows]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
