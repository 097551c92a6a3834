"""The loss takes the logits of the labels by their positions: what is cut are the inputs and the labels."""
import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
x, y = torch.randn(48, 6), torch.randint(3, (48,))
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    for start in range(0, 48, 12):
        inputs, labels = fill_and_share_rows(x[start : start + 12]), fill_and_share_rows(y[start : start + 12])
        out = model(inputs)
        loss = (torch.logsumexp(out, 1) - out[torch.arange(out.size(0)), labels]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
