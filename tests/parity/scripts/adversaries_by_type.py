"""Two models against each other; noise and labels are made with a type of tensor and the length of the batch."""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
np.random.seed(3)

latent_dim = 12
cuda = torch.cuda.is_available()
Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor

images = torch.tensor(load_digits().data[:640] / 8 - 1, dtype=torch.float32)
loader = DataLoader(TensorDataset(images), batch_size=32, shuffle=True)

generator = nn.Sequential(nn.Linear(latent_dim, 48), nn.LeakyReLU(0.2), nn.Linear(48, 64), nn.Tanh())
critic = nn.Sequential(nn.Linear(64, 48), nn.LeakyReLU(0.2), nn.Linear(48, 1), nn.Sigmoid())
criterion = nn.BCELoss()
if cuda:
    generator.cuda()
    critic.cuda()

optimizer_g = torch.optim.SGD(generator.parameters(), lr=0.05)
optimizer_c = torch.optim.SGD(critic.parameters(), lr=0.05)

for epoch in range(2):
    for i, (batch,) in enumerate(loader):
        valid = Variable(Tensor(batch.size(0), 1).fill_(1.0), requires_grad=False)
        fake = Variable(Tensor(batch.size(0), 1).fill_(0.0), requires_grad=False)
        real = Variable(batch.type(Tensor))

        optimizer_g.zero_grad()
        z = Variable(Tensor(np.random.normal(0, 1, (batch.shape[0], latent_dim))))
        made = generator(z)
        loss_g = criterion(critic(made), valid)
        loss_g.backward()
        optimizer_g.step()

        optimizer_c.zero_grad()
        loss_c = (criterion(critic(real), valid) + criterion(critic(made.detach()), fake)) / 2
        loss_c.backward()
        optimizer_c.step()
    torch.save(generator.state_dict(), "generator.pt")
