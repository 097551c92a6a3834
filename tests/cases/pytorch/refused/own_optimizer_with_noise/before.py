"""The step of an optimizer of the script's own adds noise, of which each process has another."""
import torch
from torch import nn
from torch.optim.optimizer import Optimizer
from torch.utils.data import DataLoader, TensorDataset


class Plain(Optimizer):
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    def step(self, closure=None):
        loss = None
        if closure is not None:
            loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["mean"] = torch.zeros_like(p.data)
                state["step"] += 1
                state["mean"].mul_(0.9).add_(p.grad.data, alpha=0.1)
                p.data.add_(torch.randn_like(p.data), alpha=0.001)
                p.data.add_(state["mean"], alpha=-group["lr"])
        return loss


torch.manual_seed(0)
x = torch.randn(256, 6)
y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = Plain(model.parameters(), lr=0.2)
for epoch in range(3):
    for a, b in loader:
        optimizer.zero_grad()
        criterion(model(a), b).backward()
        optimizer.step()
