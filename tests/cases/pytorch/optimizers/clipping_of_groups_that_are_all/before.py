"""The two groups are all parameters between them, so that the gradients of all are averaged before they are clipped."""
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
skipped = ["bias", "norm.weight"]
decayed, kept = [], []
for name, p in model.named_parameters():
    if not p.requires_grad:
        continue
    if p.ndim == 1 or any(word in name for word in skipped):
        kept.append(p)
    else:
        decayed.append(p)
groups = [{"params": decayed, "weight_decay": 0.1}, {"params": kept, "weight_decay": 0.0}]
optimizer = torch.optim.AdamW(groups, lr=1e-3)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
