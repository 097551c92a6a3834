"""A random batch that is looked at between epochs is another one on each process: nothing may hang on it."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
train_loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
for epoch in range(2):
    for xb, yb in train_loader:
        opt.zero_grad()
        loss = crit(model(xb), yb)
        loss.backward()
        opt.step()
    images, labels = next(iter(train_loader))
    if images.mean() > 0.3:
        break
