"""All processes draw the same batches, so also the same noise where the model goes on in training mode after training."""
import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
data = torch.randint(0, 10, (500,))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 16)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(16, 10)

    def forward(self, x):
        return self.out(self.drop(self.table(x)))


def batch(size):
    start = torch.randint(0, len(data) - 9, (size,))
    x = torch.stack([data[i : i + 8] for i in start])
    y = torch.stack([data[i + 1 : i + 9] for i in start])
    return x, y


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def share_rows(batch):
    if len(batch) % hvd.size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {hvd.size()} processes")
    rows = len(batch) // hvd.size()
    return batch[hvd.rank() * rows :][:rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for step in range(30):
    x, y = map(share_rows, batch(16))
    optimizer.zero_grad()
    logits = model(x)
    nn.functional.cross_entropy(logits.view(-1, 10), y.view(-1)).backward()
    optimizer.step()

written = torch.zeros((1, 1), dtype=torch.long)
for _ in range(20):
    following = model(written)[:, -1, :].argmax(dim=-1, keepdim=True)
    written = torch.cat((written, following), dim=1)
if hvd.rank() == 0:
    print(written[0].tolist())
hvd.shutdown()
