"""Pairs whose other halves are the negatives, with labels of the batch's length."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Linear(32, 16)
        self.right = nn.Linear(32, 16)
        self.scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, top, bottom):
        a = F.normalize(self.left(top), dim=1)
        b = F.normalize(self.right(bottom), dim=1)
        return a, b, self.scale.exp()


def main():
    torch.manual_seed(0)
    images = torch.rand(1797, 64)
    loader = DataLoader(TensorDataset(images[:, :32], images[:, 32:]), batch_size=64, shuffle=True, drop_last=True)
    model = Pair()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for top, bottom in loader:
            a, b, scale = model(top, bottom)
            logits = scale * a @ b.t()
            labels = torch.arange(len(top))
            loss = (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
