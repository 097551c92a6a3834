"""Batch size and shuffle are given by position; shuffle cannot stay beside a sampler."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision.datasets import FashionMNIST
from torchvision.transforms import ToTensor

train_data = FashionMNIST("./data", True, ToTensor(), download=True)
train_loader = DataLoader(train_data, 64, True)

net = nn.Sequential(nn.Flatten(), nn.Linear(28 * 28, 100), nn.ReLU(), nn.Linear(100, 10))
optimizer = torch.optim.Adam(net.parameters(), 0.001)
loss_func = nn.CrossEntropyLoss()

for epoch in range(3):
    for step, (b_x, b_y) in enumerate(train_loader):
        loss = loss_func(net(b_x), b_y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
torch.save(net, "net.pkl")
