"""The function that trains is given to a thread by its name."""
import threading

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=8, shuffle=True)


def train(rate):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


thread = threading.Thread(target=train, args=(0.1,))
thread.start()
thread.join()
