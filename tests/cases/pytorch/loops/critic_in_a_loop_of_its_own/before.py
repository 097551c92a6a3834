"""The critic makes five updates for each one of the generator."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(96, 6)), batch_size=12, shuffle=True, drop_last=True)
generator = nn.Linear(4, 6)
critic = nn.Linear(6, 1)
g_optimizer = torch.optim.RMSprop(generator.parameters(), lr=5e-5)
c_optimizer = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
for epoch in range(2):
    for (real,) in loader:
        for _ in range(5):
            fake = generator(torch.randn(real.size(0), 4)).detach()
            c_loss = critic(fake).mean() - critic(real).mean()
            c_optimizer.zero_grad()
            c_loss.backward()
            c_optimizer.step()
            for p in critic.parameters():
                p.data.clamp_(-0.01, 0.01)
        g_loss = -critic(generator(torch.randn(real.size(0), 4))).mean()
        g_optimizer.zero_grad()
        g_loss.backward()
        g_optimizer.step()
