"""What was fetched is not what was tried: rank 0 would go on with another one than those that find it there."""

import spacy
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

try:
    language = spacy.load("en_core_web_lg")
except OSError:
    spacy.cli.download("en_core_web_sm")
    language = spacy.load("en_core_web_sm")
torch.manual_seed(0)
x, y = torch.randn(64, 4), torch.randn(64, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
