"""An autoencoder is trained by its methods encode and decode, in a function; evaluation calls the model."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 16), nn.ReLU(), nn.Linear(16, 4))
        self.decoder = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 64))

    def encode(self, x):
        return self.encoder(x)

    def decode(self, code):
        return self.decoder(code)

    def forward(self, x):
        return self.decode(self.encode(x))


def train_one_epoch(net, loader, optimizer):
    net.train()
    total = 0.0
    for (x,) in loader:
        code = net.encode(x)
        loss = F.mse_loss(net.decode(code), x) + 1e-3 * code.pow(2).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
    return total / len(loader.dataset)


def evaluate(net, loader):
    net.eval()
    total = 0.0
    with torch.no_grad():
        for (x,) in loader:
            total += F.mse_loss(net(x), x, reduction="sum").item()
    return total / len(loader.dataset)


def main():
    torch.manual_seed(0)
    train_set, test_set = TensorDataset(torch.rand(256, 64)), TensorDataset(torch.rand(64, 64))
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=64)
    model = AutoEncoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(4):
        print(epoch, train_one_epoch(model, train_loader, optimizer), evaluate(model, test_loader))
    torch.save(model.state_dict(), "autoencoder.pt")


if __name__ == "__main__":
    main()
