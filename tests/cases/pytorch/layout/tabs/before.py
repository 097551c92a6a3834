"""Indented by tabs, and inserted lines are too."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
	total = 0.0
	for x, y in loader:
		optimizer.zero_grad()
		loss = nn.functional.mse_loss(model(x), y)
		loss.backward()
		optimizer.step()
		total += loss.item()
	print("epoch", epoch, total / len(loader))
torch.save(model.state_dict(), "model.pt")
