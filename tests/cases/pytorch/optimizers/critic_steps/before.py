"""A critic that is trained on each batch, its weights clamped; the generator on every fifth."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
loader = DataLoader(TensorDataset(torch.randn(640, 10)), batch_size=32, shuffle=True)
generator = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 10))
critic = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer_g = torch.optim.RMSprop(generator.parameters(), lr=5e-5)
optimizer_c = torch.optim.RMSprop(critic.parameters(), lr=5e-5)

for epoch in range(3):
    for i, (real,) in enumerate(loader):
        optimizer_c.zero_grad()
        fake = generator(torch.randn(real.shape[0], 4)).detach()
        loss_c = -torch.mean(critic(real)) + torch.mean(critic(fake))
        loss_c.backward()
        optimizer_c.step()
        for p in critic.parameters():
            p.data.clamp_(-0.01, 0.01)

        if i % 5 == 0:
            optimizer_g.zero_grad()
            loss_g = -torch.mean(critic(generator(torch.randn(real.shape[0], 4))))
            loss_g.backward()
            optimizer_g.step()
    print(epoch, loss_c.item(), loss_g.item())
