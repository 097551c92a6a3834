"""Rows are cut from what the model gives: all samples go through it together, as the nodes of a graph do."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
features, labels = torch.randn(300, 16), torch.randint(0, 3, (300,))
train_rows = torch.randperm(300)[:200]
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(20):
    output = model(features)
    loss = F.nll_loss(F.log_softmax(output[train_rows], dim=1), labels[train_rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
