"""Models that are given in one tuple and called by their places are wrapped each by itself."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
inputs = torch.randn(200, 8)
loader = DataLoader(TensorDataset(inputs, (inputs.sum(1) > 0).long()), batch_size=20, shuffle=True)
encoder = nn.Linear(8, 4)
decoder = nn.Linear(4, 2)
optimizer = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], lr=0.1)


def train(models, loader, optimizer):
    models[0].train()
    second = models[1]
    for batch, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(second(models[0](batch)), labels)
        loss.backward()
        optimizer.step()


for epoch in range(2):
    train((encoder, decoder), loader, optimizer)
    print(epoch)
torch.save(encoder.state_dict(), "encoder.pt")
