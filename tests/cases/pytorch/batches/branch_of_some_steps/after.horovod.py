"""A branch of the model that only every other step uses, on batches that are drawn."""
import torch
from torch import nn
import torch.nn.functional as F
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
data = torch.randn(600, 8)
labels = (data[:, 0] > 0).long()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.extra = nn.Linear(16, 16)
        self.last = nn.Linear(16, 2)

    def forward(self, x, deep):
        h = F.relu(self.first(x))
        if deep:
            h = F.relu(self.extra(h))
        return self.last(h)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for step in range(50):
    rows = torch.randint(0, len(data), (32,))
    loss = F.cross_entropy(model(fill_and_share_rows(data[rows]), step % 2 == 0), fill_and_share_rows(labels[rows]))
    optimizer.zero_grad()
    loss.backward()
    hvd.grouped_allreduce_([p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None])
    optimizer.step()
    if step % 10 == 0:
        total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
        mean_loss = total.item() / hvd.size()
        if hvd.rank() == 0:
            print(step, mean_loss)
hvd.shutdown()
