"""Two spaces of indentation, which inserted lines follow."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

def train(model, loader, optimizer, epochs):
  for epoch in range(epochs):
    total = 0
    for x, y in loader:
      optimizer.zero_grad()
      loss = nn.functional.mse_loss(model(x), y)
      loss.backward()
      optimizer.step()
      total += loss.item()
    if epoch % 2 == 0:
      print('%d %.4f' % (epoch, total / len(loader)))

if __name__ == '__main__':
  loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
  net = nn.Linear(10, 1)
  train(net, loader, torch.optim.Adam(net.parameters(), lr=0.01), 4)
