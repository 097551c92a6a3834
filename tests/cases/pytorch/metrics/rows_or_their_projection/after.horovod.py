"""A block adds what it is given, or a projection of it: rows that were cut from an array, or what a layer makes."""
import torch
from torch import nn
import horovod.torch as hvd


class Block(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, outputs), nn.ReLU(), nn.Linear(outputs, outputs))
        self.relu = nn.ReLU()
        self.projection = nn.Linear(inputs, outputs) if inputs != outputs else None

    def forward(self, x):
        rest = x if self.projection is None else self.projection(x)
        return self.relu(self.layers(x) + rest)


class Stack(nn.Module):
    def __init__(self, inputs, sizes, outputs):
        super().__init__()
        layers = []
        for i in range(len(sizes)):
            layers += [Block(inputs if i == 0 else sizes[i - 1], sizes[i])]
        self.blocks = nn.Sequential(*layers)
        self.out = nn.Linear(sizes[-1], outputs)

    def forward(self, x):
        return self.out(self.blocks(x))


hvd.init()
torch.manual_seed(0)
inputs, labels = torch.randn(640, 8), torch.randint(0, 4, (640,))
batch_size = 64
model = Stack(8, [16] * 3, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    correct, count = 0, 0
    for start in range(0, len(inputs), batch_size):
        x = fill_and_share_rows(inputs[start : start + batch_size])
        y = fill_and_share_rows(labels[start : start + batch_size])
        optimizer.zero_grad()
        out = model(x)
        loss = nn.functional.cross_entropy(out, y)
        loss.backward()
        optimizer.step()
        top = out.max(1, keepdim=True)[1]
        correct += top.eq(y.view_as(top)).sum()
        count += out.size(0)
        if start % 256 == 0:
            total = hvd.allreduce(torch.tensor(float(100.0 * correct / count), dtype=torch.float64), op=hvd.Sum)
            mean_count = (total / hvd.size()).float()
            if hvd.rank() == 0:
                print(epoch, start, f"{mean_count:.2f}")
hvd.shutdown()
