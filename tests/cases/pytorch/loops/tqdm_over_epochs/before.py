"""The progress bar is around the epochs (trange): shown by rank 0 only, its postfix reduced."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import trange

loader = DataLoader(TensorDataset(torch.randn(500, 7), torch.randn(500, 1)), batch_size=25, shuffle=True)
model = nn.Linear(7, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
with trange(30) as bar:
    for epoch in bar:
        losses = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            losses += loss.item()
        bar.set_postfix(loss=losses / len(loader))
