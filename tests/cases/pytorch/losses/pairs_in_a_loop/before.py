"""As many rounds as a process has samples: of the batch there are more."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
images = torch.rand(1797, 64)
train = DataLoader(TensorDataset(images, torch.randint(10, (1797,))), batch_size=32, shuffle=True, drop_last=True)
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 16))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(1):
    for x, y in train:
        z = F.normalize(model(x), dim=1)
        sim = z @ z.t()
        loss = 0.0
        for i in range(x.size(0)):
            loss = loss + F.relu(sim[i]).mean()
        loss = loss / x.size(0) + F.cross_entropy(z, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
