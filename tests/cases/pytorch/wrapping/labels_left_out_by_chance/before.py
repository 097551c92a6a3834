"""Diffusion with guidance: labels are left out of some steps, by chance; the model does without them."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, classes=None):
        super().__init__()
        self.inner = nn.Linear(8, 8)
        self.outer = nn.Linear(8, 4)
        if classes is not None:
            self.label_emb = nn.Embedding(classes, 8)

    def encode(self, t, channels):
        inv = 1.0 / (10000 ** (torch.arange(0, channels, 2).float() / channels))
        a = torch.sin(t.repeat(1, channels // 2) * inv)
        b = torch.cos(t.repeat(1, channels // 2) * inv)
        return torch.cat([a, b], dim=-1)

    def forward(self, x, t, y=None):
        t = t.unsqueeze(-1).type(torch.float)
        t = self.encode(t, 8)
        if y is not None:
            t += self.label_emb(y)
        return self.outer(torch.relu(self.inner(x) + t))


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,))), batch_size=8, shuffle=True)
model = Net(3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, labels in loader:
    t = torch.randint(low=1, high=100, size=(x.shape[0],))
    if np.random.random() < 0.1:
        labels = None
    loss = model(x, t, labels).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
