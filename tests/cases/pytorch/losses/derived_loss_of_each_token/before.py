"""A loss that derives from one of PyTorch, which it sets to give a number for each token, and weighs these: a mean."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class MaskedLoss(nn.CrossEntropyLoss):
    def forward(self, output, target, padding):
        weights = torch.ones_like(target).float()
        weights[target == padding] = 0
        self.reduction = "none"
        unweighted = super(MaskedLoss, self).forward(output.transpose(1, 2), target)
        return (unweighted * weights).mean(dim=1).mean()


torch.manual_seed(0)
texts = torch.randint(0, 20, (160, 9))
loader = DataLoader(TensorDataset(texts[:, :-1], texts[:, 1:]), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Embedding(20, 8), nn.Linear(8, 20))
criterion = MaskedLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = criterion(model(x), y, 0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
