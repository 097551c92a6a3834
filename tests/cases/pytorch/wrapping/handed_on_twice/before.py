"""The model is handed on through two functions: the wrapper reaches the training forward."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def train_step(model, optimizer, x, y):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()


def train_epoch(model, optimizer, loader):
    model.train()
    for x, y in loader:
        train_step(model, optimizer, x, y)


def fit(epochs):
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
    model = nn.Linear(10, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        train_epoch(model, optimizer, loader)


fit(3)
