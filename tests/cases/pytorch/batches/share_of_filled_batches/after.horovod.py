"""An accuracy over batches that are cut, of which the last may be filled up, divided by the number of rows."""
import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
inputs = torch.randn(45, 6)
labels = (inputs[:, 0] > 0).long()
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    correct = 0
    for start in range(0, len(inputs), 12):
        x, y = fill_and_share_rows(inputs[start : start + 12]), fill_and_share_rows(labels[start : start + 12])
        scores = model(x)
        loss = criterion(scores, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        correct += (scores.argmax(1) == y).sum().item()
    total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
    correct = int(total)
    if hvd.rank() == 0:
        print(epoch, correct / len(inputs))
hvd.shutdown()
