"""The training step is a function that an engine of a library calls for each batch."""
import torch
from ignite.engine import Engine
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def trainer(model, optimizer):
    def step(engine, batch):
        x, y = batch
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    return Engine(step)


loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=8, shuffle=True)
model = nn.Linear(4, 1)
trainer(model, torch.optim.SGD(model.parameters(), lr=0.1)).run(loader, max_epochs=3)
