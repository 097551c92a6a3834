"""A loop that is left in its first round looks at a batch; one that may go on is a pass."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
train_loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
for images, labels in train_loader:
    print(images.shape, labels.tolist())
    break
for number, (images, labels) in enumerate(train_loader):
    print(number, images[15])
    break
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
for epoch in range(2):
    for xb, yb in train_loader:
        opt.zero_grad()
        loss = crit(model(xb), yb)
        loss.backward()
        opt.step()
seen = 0
for images, labels in train_loader:
    seen += len(images)
    if seen > 40:
        break
print(seen)
