"""How often a critic is trained on each batch is an option, and the generator is trained on what was generated last."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=5)
args = parser.parse_args()
SIZE = 16
data = TensorDataset(torch.randn(256, 8))
loader = DataLoader(data, batch_size=SIZE, shuffle=True)
generator = nn.Linear(4, 8)
critic = nn.Linear(8, 1)
of_generator = torch.optim.RMSprop(generator.parameters(), lr=5e-5)
of_critic = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
for epoch in range(2):
    for (real,) in loader:
        for _ in range(args.rounds):
            fake = generator(torch.randn(len(real), 4))
            loss_critic = critic(fake).mean() - critic(real).mean()
            critic.zero_grad()
            loss_critic.backward(retain_graph=True)
            of_critic.step()
        loss_generator = -critic(fake).mean()
        generator.zero_grad()
        loss_generator.backward()
        of_generator.step()
