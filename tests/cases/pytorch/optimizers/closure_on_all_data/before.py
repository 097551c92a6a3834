"""LBFGS with a line search on all data; the closure prints the loss of each evaluation."""
import torch
from torch import nn, optim

torch.manual_seed(0)
x = torch.randn(96, 6)
y = torch.sin(x.sum(1, keepdim=True))
model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = optim.LBFGS(model.parameters(), lr=0.8, max_iter=5, line_search_fn="strong_wolfe")
for step in range(6):

    def closure():
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        print("loss:", loss.item())
        loss.backward()
        return loss

    optimizer.step(closure)
