"""The folder of a summary is drawn: every process draws it, so that what is drawn later stays equal on all."""

import numpy
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.tensorboard import SummaryWriter

numpy.random.seed(0)
torch.manual_seed(0)
writer = SummaryWriter("runs/%d" % numpy.random.randint(10000))
inputs = torch.tensor(numpy.random.rand(64, 3), dtype=torch.float32)
loader = DataLoader(TensorDataset(inputs, inputs.sum(1, keepdim=True)), batch_size=8, shuffle=True)
model = nn.Linear(3, 1)
optimizer = optim.SGD(model.parameters(), lr=0.2)
for epoch in range(2):
    for features, targets in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(features), targets)
        loss.backward()
        optimizer.step()
    writer.add_scalar("loss", loss.item(), epoch)
