"""Whether a package of spaCy is there: rank 0 alone asks, as it may be there when a slower process would ask."""

import spacy
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

if not spacy.util.is_package("en_core_web_sm"):
    spacy.cli.download("en_core_web_sm")
nlp = spacy.load("en_core_web_sm")
torch.manual_seed(0)
x = torch.randn(64, 4)
y = torch.randn(64, 1)
model = nn.Linear(4, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
