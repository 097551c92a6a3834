"""A single tensor beside the model has gradients that are averaged by hand: at the end of the closure."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(400, 10), torch.randn(400, 1)), batch_size=20)
model = nn.Linear(10, 1)
scale = torch.ones(1, requires_grad=True)
optimizer = torch.optim.LBFGS([*model.parameters(), scale])
for epoch in range(5):
    for x, y in loader:
        def closure():
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(scale * model(x), y)
            loss.backward()
            return loss

        optimizer.step(closure)
