"""A sampler that is told of losses chooses by them: those of one process are of its own samples only."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Sampler, TensorDataset


class Hardest(Sampler):
    def __init__(self, size):
        self.size = size
        self.bonus = 0.0

    def __iter__(self):
        offset = int(self.bonus * 10)
        return iter([(at + offset) % self.size for at in range(self.size)])

    def __len__(self):
        return self.size

    def tell(self, loss):
        self.bonus = loss


inputs = torch.randn(400, 5)
sampler = Hardest(400)
loader = DataLoader(TensorDataset(inputs, inputs.sum(1, keepdim=True)), batch_size=40, sampler=sampler)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        sampler.tell(loss.item())
