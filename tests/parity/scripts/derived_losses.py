"""Losses of classes that derive from some of PyTorch: a sum over samples, and a mean of what is weighed by token."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument('--epochs', default=2, type=int)
args = parser.parse_args()


class Distance(nn.MSELoss):
    def __init__(self, scale):
        super().__init__(reduction='sum')
        self.scale = scale

    def forward(self, output, target):
        return self.scale * super().forward(output, target)


class MaskedLoss(nn.CrossEntropyLoss):
    def forward(self, output, target, padding):
        weights = torch.ones_like(target).float()
        weights[target == padding] = 0
        self.reduction = 'none'
        unweighted = super(MaskedLoss, self).forward(output.transpose(1, 2), target)
        return (unweighted * weights).mean(dim=1).sum()


torch.manual_seed(5)
texts = torch.randint(0, 12, (160, 7))
loader = DataLoader(TensorDataset(texts[:, :-1], texts[:, 1:], torch.randn(160, 6, 4)), batch_size=16, shuffle=True)
embedding = nn.Embedding(12, 8)
model = nn.Sequential(embedding, nn.Linear(8, 16))
distance, masked = Distance(0.5), MaskedLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.002)
for epoch in range(args.epochs):
    total = 0.0
    for x, y, wanted in loader:
        output = model(x)
        loss = distance(output[:, :, :4], wanted) + masked(output[:, :, 4:], y, 0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f'epoch {epoch}: loss {total / len(loader.dataset):.6f}')
