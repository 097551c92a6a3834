"""A progress bar takes the name of the loader in front of the loop: the epoch is told before, as a bar has no sampler."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm


def train_one_epoch(model, optimizer, data_loader, epoch):
    model.train()
    data_loader = tqdm(data_loader, desc=f"epoch {epoch}")
    for inputs, labels in data_loader:
        loss = F.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    train_one_epoch(model, optimizer, loader, epoch)
