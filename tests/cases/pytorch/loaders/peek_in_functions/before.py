"""Looks in functions and through aliases get loaders of their own; what is evaluated is still dealt out by samples."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Lab:
    def __init__(self, data, held_out, batch_size):
        self.train_loader = DataLoader(data, batch_size=batch_size, shuffle=True, drop_last=True)
        self.test_loader = DataLoader(held_out, batch_size=batch_size)

    def look(self):
        images, labels = next(iter(self.train_loader))
        return images.shape, labels.sum().item()


def show(loader, count):
    batches = iter(loader)
    for _ in range(count):
        images, labels = next(batches)
        print(images[0], labels[0].item())


def test(model, loader):
    model.eval()
    correct = 0
    with torch.no_grad():
        for xb, yb in loader:
            correct += (model(xb).argmax(1) == yb).sum().item()
    return correct / len(loader.dataset)


torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
lab = Lab(TensorDataset(x[:48], y[:48]), TensorDataset(x[48:], y[48:]), 8)
print(lab.look())
show(lab.train_loader, 2)
examples = enumerate(lab.test_loader)
number, (images, labels) = next(examples)
print(number, images.shape, labels)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
for epoch in range(2):
    model.train()
    for xb, yb in lab.train_loader:
        opt.zero_grad()
        loss = crit(model(xb), yb)
        loss.backward()
        opt.step()
    print(epoch, test(model, lab.test_loader))
