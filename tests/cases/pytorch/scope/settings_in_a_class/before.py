"""Batch size, rate and epochs are attributes of a Config class: the loader takes its share where it is made."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Config:
    batch_size = 32
    learning_rate = 0.01
    epochs = 3
    device = "cuda" if torch.cuda.is_available() else "cpu"


cfg = Config()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=cfg.batch_size, shuffle=True)
model = nn.Linear(10, 1).to(cfg.device)
optimizer = torch.optim.Adam(model.parameters(), lr=cfg.learning_rate)
for epoch in range(cfg.epochs):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x.to(cfg.device)), y.to(cfg.device)).backward()
        optimizer.step()
