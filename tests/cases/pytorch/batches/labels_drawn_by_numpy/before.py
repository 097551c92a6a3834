"""Labels that NumPy draws for as many samples as the batch size says, beside noise: each process draws its share.

A bound that is the batch size stays one.
"""

import numpy
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
numpy.random.seed(0)
batch_size = 8
inputs = torch.rand(32, 6)
loader = DataLoader(TensorDataset(inputs), batch_size=batch_size, shuffle=True)
generator, critic = nn.Linear(6, 6), nn.Linear(8, 1)
optimizer = torch.optim.Adam([*generator.parameters(), *critic.parameters()])

for epoch in range(2):
    for (features,) in loader:
        optimizer.zero_grad()
        noise = torch.randn(batch_size, 4)
        labels = torch.FloatTensor(numpy.random.randint(0, 3, (batch_size, 2)))
        made = generator(torch.cat([noise, labels], 1))
        loss = critic(torch.cat([made, labels], 1)).mean() - critic(torch.cat([features, labels], 1)).mean()
        loss.backward()
        optimizer.step()
    print(numpy.random.randint(batch_size))
