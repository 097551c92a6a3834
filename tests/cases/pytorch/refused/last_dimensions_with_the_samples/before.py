"""Of the last two dimensions of a batch of rows, one is that of the samples: their number decides what is trained."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        height, width = inputs.shape[-2:]
        loss = F.cross_entropy(model(inputs), labels) * width / height
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
