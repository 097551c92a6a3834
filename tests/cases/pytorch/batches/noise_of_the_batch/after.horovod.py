"""A conditional generator: a function makes the batch, and the loop draws noise for as many samples."""
import numpy as np
import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
np.random.seed(0)
torch.manual_seed(0)
batch_size = 64
points = np.vstack([np.linspace(-1, 1, 15) for _ in range(batch_size)])


def works_with_labels():
    a = np.random.uniform(1, 2, size=batch_size)[:, np.newaxis]
    paintings = torch.from_numpy(a * np.power(points, 2) + (a - 1)).float()
    return paintings, torch.from_numpy((a > 1.5).astype(np.float32))


generator = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 15))
optimizer = torch.optim.SGD(generator.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=generator.named_parameters())


def share_rows(batch):
    if len(batch) % hvd.size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {hvd.size()} processes")
    rows = len(batch) // hvd.size()
    return batch[hvd.rank() * rows :][:rows]


hvd.broadcast_parameters(generator.state_dict(), root_rank=0)
for step in range(100):
    paintings, labels = map(share_rows, works_with_labels())
    ideas = share_rows(torch.randn(batch_size, 5))
    loss = ((generator(torch.cat((ideas, labels), 1)) - paintings) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
        mean_loss = total.item() / hvd.size()
        if hvd.rank() == 0:
            print(step, mean_loss)
hvd.shutdown()
