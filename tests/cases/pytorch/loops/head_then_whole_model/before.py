"""Two optimizers step one model, one after the other: Horovod wraps neither of them."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.features(x))


def train_epoch(model, loader, criterion, optimizer):
    model.train()
    running = 0.0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        running += loss.item()
    return running / len(loader)


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 4)
    y = (x[:, 0] > 0).long()
    loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    model = Net()
    criterion = nn.CrossEntropyLoss()
    for p in model.features.parameters():
        p.requires_grad = False
    optimizer = torch.optim.Adam(model.head.parameters(), lr=0.01)
    for epoch in range(2):
        print("head", epoch, train_epoch(model, loader, criterion, optimizer))
    for p in model.features.parameters():
        p.requires_grad = True
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    for epoch in range(2):
        print("all", epoch, train_epoch(model, loader, criterion, optimizer))
    torch.save(model.state_dict(), "model.pt")


main()
