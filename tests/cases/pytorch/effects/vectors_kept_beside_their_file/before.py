"""torchtext reads vectors of the user's own, and keeps them in another form: the others find that complete."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchtext.vocab import Vectors

torch.manual_seed(0)
vectors = Vectors(name="words.vec", cache=".vectors")
x, y = vectors.vectors[:, :4], vectors.vectors[:, 4:5]
model = nn.Linear(4, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
