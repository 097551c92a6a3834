"""A critic is trained five times on each batch, and the generator on what was generated last: of this batch, not another."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SIZE, ROUNDS = 16, 5
data = TensorDataset(torch.randn(256, 8))
loader = DataLoader(data, batch_size=SIZE, shuffle=True)
generator = nn.Linear(4, 8)
critic = nn.Linear(8, 1)
of_generator = torch.optim.RMSprop(generator.parameters(), lr=5e-5)
of_critic = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
for epoch in range(2):
    for (real,) in loader:
        for _ in range(ROUNDS):
            fake = generator(torch.randn(len(real), 4))
            loss_critic = critic(fake).mean() - critic(real).mean()
            critic.zero_grad()
            loss_critic.backward(retain_graph=True)
            of_critic.step()
        loss_generator = -critic(fake).mean()
        generator.zero_grad()
        loss_generator.backward()
        of_generator.step()
