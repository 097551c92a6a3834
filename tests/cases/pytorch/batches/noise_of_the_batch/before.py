"""A conditional generator: a function makes the batch, and the loop draws noise for as many samples."""
import numpy as np
import torch
from torch import nn

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
for step in range(100):
    paintings, labels = works_with_labels()
    ideas = torch.randn(batch_size, 5)
    loss = ((generator(torch.cat((ideas, labels), 1)) - paintings) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(step, loss.item())
