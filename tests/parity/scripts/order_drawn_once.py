"""The order of all batches is drawn where the loop over them begins, by an object that draws negatives, too."""

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn


class Pairs:
    def __init__(self, images, labels, batch_size):
        self.images, self.labels, self.batch_size = images, labels, batch_size

    def __iter__(self):
        for _ in range(2):
            order = np.random.permutation(len(self.images))
            for start in range(0, len(order), self.batch_size):
                rows = order[start : start + self.batch_size]
                others = np.random.randint(0, len(self.images), len(rows))
                yield self.images[rows], self.labels[rows], self.images[others]


np.random.seed(3)
torch.manual_seed(3)
digits = load_digits()
images = torch.tensor(digits.data[:256] / 16, dtype=torch.float32)
labels = torch.tensor(digits.target[:256])
model = nn.Sequential(nn.Linear(64, 16), nn.ReLU(), nn.Linear(16, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, (image, label, other) in enumerate(Pairs(images, labels, 32)):
    optimizer.zero_grad()
    loss = criterion(model(image), label) + 0.1 * model(other).square().mean()
    loss.backward()
    optimizer.step()
    print(f"step {step}: loss {loss.item():.4f}")
torch.save(model.state_dict(), "model.pt")
