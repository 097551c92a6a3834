"""A batch that is looked at by its places is the whole batch, as in the sequential run."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
batch_size = 16
loader = DataLoader(TensorDataset(x, y), batch_size=batch_size, shuffle=True)
images, labels = next(iter(loader))
print(images.shape, labels[0], images[0].shape, images[0][2], images[-1, 3])
for i in range(batch_size):
    print(i, labels[i], images[i][3])
for i, (image, label) in enumerate(zip(images, labels)):
    print(labels[i] == label)
print(" ".join(str(labels[j]) for j in range(4)))
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
for epoch in range(2):
    for i, (xb, yb) in enumerate(loader):
        opt.zero_grad()
        loss = crit(model(xb), yb)
        loss.backward()
        opt.step()
