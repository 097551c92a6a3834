"""The optimizer holds those with a name alone, and the gradients of all are clipped: Horovod averages only those."""
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
optimizer = torch.optim.Adam([p for name, p in model.named_parameters() if "head" in name], lr=1e-3)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
