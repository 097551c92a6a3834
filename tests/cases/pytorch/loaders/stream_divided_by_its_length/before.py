"""A sum over the samples of a stream is divided by its length, where some fill up the last batch."""
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Points(IterableDataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __iter__(self):
        for i in range(len(self.x)):
            yield self.x[i], self.y[i]


x = torch.randn(52, 6)
train_set = Points(x, (x[:, 0] > 0).long())
loader = DataLoader(train_set, batch_size=12)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    correct = 0
    for x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        nn.functional.cross_entropy(out, y).backward()
        optimizer.step()
        correct += (out.argmax(1) == y).sum().item()
    print(100 * correct / len(train_set))
