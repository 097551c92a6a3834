"""LBFGS is called once, and evaluates its closure as often as it needs to."""
import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(0, 1, 64).view(-1, 1)
y = torch.sin(6 * x)
model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.LBFGS(model.parameters(), max_iter=40, line_search_fn="strong_wolfe")


def closure():
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    return loss


first = optimizer.step(closure)
print(first.item(), criterion(model(x), y).item())
