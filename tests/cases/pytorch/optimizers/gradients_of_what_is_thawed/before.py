"""The body is trained from the second epoch on, but no optimizer steps it, and nothing averages what is clipped."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.body(x).relu())


loader = DataLoader(TensorDataset(torch.randn(640, 4), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = Net()
for p in model.body.parameters():
    p.requires_grad = False
optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=1e-3)
for epoch in range(3):
    if epoch == 1:
        for p in model.body.parameters():
            p.requires_grad = True
    for x, y in loader:
        model.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
