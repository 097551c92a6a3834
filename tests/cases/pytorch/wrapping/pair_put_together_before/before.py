"""A list of models that is made before the loop holds the bare models: refused."""

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
    for batch, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(second(first(batch)), labels)
        loss.backward()
        optimizer.step()


pair = [encoder, decoder]
for epoch in range(2):
    train(pair, loader, optimizer)
    print(epoch)
torch.save(encoder.state_dict(), "encoder.pt")
