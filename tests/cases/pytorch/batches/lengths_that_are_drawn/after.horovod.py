"""Each batch has another length: the program stops where the processes cannot share one out evenly."""
import torch
from torch import nn
import torch.nn.functional as F
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
data = torch.randn(600, 8)
labels = (data[:, 0] > 0).long()
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def get_batch():
    size = int(torch.randint(8, 33, (1,)))
    rows = torch.randint(0, len(data), (size,))
    return data[rows], labels[rows]


def share_rows(batch):
    if len(batch) % hvd.size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {hvd.size()} processes")
    rows = len(batch) // hvd.size()
    return batch[hvd.rank() * rows :][:rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for step in range(50):
    x, y = map(share_rows, get_batch())
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
        mean_loss = total.item() / hvd.size()
        if hvd.rank() == 0:
            print(step, mean_loss)
hvd.shutdown()
