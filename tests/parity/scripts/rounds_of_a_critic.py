"""A critic is trained in rounds on each batch, with a gradient penalty, and the generator on what was generated last."""

import argparse

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--n_critic", type=int, default=2)
opt = parser.parse_args()


def gradient_penalty(critic, real, fake, alpha):
    mixed = real * alpha + fake * (1 - alpha)
    scores = critic(mixed)
    gradient = torch.autograd.grad(
        inputs=mixed, outputs=scores, grad_outputs=torch.ones_like(scores), create_graph=True, retain_graph=True
    )[0]
    gradient = gradient.view(gradient.shape[0], -1)
    return torch.mean((gradient.norm(2, dim=1) - 1) ** 2)


torch.manual_seed(3)
data = TensorDataset(torch.randn(192, 8), torch.randn(192, 4), torch.rand(192, 1))
loader = DataLoader(data, batch_size=32, shuffle=True)
generator = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 8))
critic = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
opt_generator = optim.SGD(generator.parameters(), lr=0.05)
opt_critic = optim.SGD(critic.parameters(), lr=0.05)
for epoch in range(3):
    for batch_idx, (real, noise, alpha) in enumerate(loader):
        for _ in range(opt.n_critic):
            fake = generator(noise)
            critic_real = critic(real).reshape(-1)
            critic_fake = critic(fake).reshape(-1)
            penalty = gradient_penalty(critic, real, fake, alpha)
            loss_critic = -(torch.mean(critic_real) - torch.mean(critic_fake)) + 10 * penalty
            critic.zero_grad()
            loss_critic.backward(retain_graph=True)
            opt_critic.step()
        loss_generator = -torch.mean(critic(fake).reshape(-1))
        generator.zero_grad()
        loss_generator.backward()
        opt_generator.step()
        if batch_idx % 3 == 0:
            print(f"epoch {epoch} batch {batch_idx}: critic {loss_critic:.5f} generator {loss_generator:.5f}")
