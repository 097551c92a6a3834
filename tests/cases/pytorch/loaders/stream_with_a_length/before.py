"""The length and the attributes of a stream are read, a batch is looked at, and incomplete batches are dropped."""
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __init__(self, count):
        self.count, self.name = count, "lines"

    def __iter__(self):
        return map(self.sample, range(self.count))

    def sample(self, number):
        x = torch.tensor([number / 100, 1.0])
        return x, x.sum(0, keepdim=True)

    def __len__(self):
        return self.count


torch.manual_seed(0)
loader = DataLoader(Lines(70), batch_size=16, num_workers=0, drop_last=True)
x, _ = next(iter(loader))
print(x.shape, loader.dataset.name)
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    total = 0.0
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader), len(loader.dataset))
