"""A model of two networks has a method that makes a step of each: each is called by itself, past the whole."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Adversaries(nn.Module):
    def __init__(self, noise):
        super().__init__()
        self.noise = noise
        self.generator = nn.Sequential(nn.Linear(noise, 8), nn.ReLU(), nn.Linear(8, 4))
        self.critic = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        self.criterion = nn.BCEWithLogitsLoss()
        self.of_generator = torch.optim.Adam(self.generator.parameters(), lr=1e-3)
        self.of_critic = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    def train_step(self, real):
        ones = torch.ones(real.size(0), 1)
        fake = self.generator(torch.randn(real.size(0), self.noise))
        self.of_critic.zero_grad()
        judged = self.criterion(self.critic(real), ones)
        judged = judged + self.criterion(self.critic(fake.detach()), torch.zeros(real.size(0), 1))
        judged.backward()
        self.of_critic.step()
        self.of_generator.zero_grad()
        fooled = self.criterion(self.critic(fake), ones)
        fooled.backward()
        self.of_generator.step()
        return judged.item(), fooled.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for step, (real,) in enumerate(loader):
                judged, fooled = self.train_step(real)
                if step % 10 == 0:
                    print(epoch, step, judged, fooled)
                    if not os.path.exists("made"):
                        os.makedirs("made")
                    torch.save(self.generator.state_dict(), f"made/{epoch}_{step}.pt")


adversaries = Adversaries(2)
adversaries.fit(DataLoader(TensorDataset(torch.randn(64, 4)), batch_size=8, shuffle=True), 3)
