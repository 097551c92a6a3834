"""Two models against each other, with a penalty on the gradients with respect to mixed samples."""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch import autograd
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
np.random.seed(3)
images = torch.tensor(load_digits().data[:640] / 8 - 1, dtype=torch.float32)
loader = DataLoader(TensorDataset(images), batch_size=32, shuffle=True)
generator = nn.Sequential(nn.Linear(12, 48), nn.LeakyReLU(0.2), nn.Linear(48, 64), nn.Tanh())
critic = nn.Sequential(nn.Linear(64, 48), nn.LeakyReLU(0.2), nn.Linear(48, 1))
optimizer_g = torch.optim.SGD(generator.parameters(), lr=0.05)
optimizer_c = torch.optim.SGD(critic.parameters(), lr=0.05)


def penalty(model, real, made):
    share = torch.FloatTensor(np.random.random((real.size(0), 1)))
    between = (share * real + (1 - share) * made).requires_grad_(True)
    score = model(between)
    gradients = autograd.grad(
        outputs=score,
        inputs=between,
        grad_outputs=torch.ones(score.size()),
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )[0]
    gradients = gradients.view(gradients.size(0), -1)
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean()


for epoch in range(2):
    for i, (batch,) in enumerate(loader):
        optimizer_c.zero_grad()
        z = torch.randn(batch.size(0), 12)
        made = generator(z)
        loss_c = -critic(batch).mean() + critic(made.detach()).mean() + 10 * penalty(critic, batch.data, made.data)
        loss_c.backward()
        optimizer_c.step()

        optimizer_g.zero_grad()
        if i % 5 == 0:
            loss_g = -critic(generator(z)).mean()
            loss_g.backward()
            optimizer_g.step()
    torch.save(generator.state_dict(), "generator.pt")
