"""A model that is taken twice from a list would be the wrapper under its second name, too: refused."""

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
    first, second = models
    again = models[0]
    print(again.state_dict())
    for batch, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(second(first(batch)), labels)
        loss.backward()
        optimizer.step()


for epoch in range(2):
    train([encoder, decoder], loader, optimizer)
    print(epoch)
torch.save(encoder.state_dict(), "encoder.pt")
