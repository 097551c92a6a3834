"""Nothing shows how many dimensions the data has: its rows may be sequences, or steps of one."""
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F
import horovod.torch as hvd
import warnings

hvd.init()
torch.manual_seed(0)
series = torch.from_numpy(np.load("series.npy"))
target = series.sum(dim=1, keepdim=True)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 16, batch_first=True)
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.head(out)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    for start in range(0, 600, 30):
        x, y = fill_and_share_rows(series[start : start + 30]), fill_and_share_rows(target[start : start + 30])
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
    mean_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_loss)
hvd.shutdown()
