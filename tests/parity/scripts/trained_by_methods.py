"""A model that is trained by its methods, never called as a whole, with a weight of its own in the loss."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Mixture(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(12, 16), nn.Tanh())
        self.decoder = nn.Linear(16, 12)
        self.log_sigma = nn.Parameter(torch.zeros(12))
        self.unused = nn.Linear(3, 3)

    def encode(self, x):
        return self.encoder(x)

    def decode(self, code):
        return self.decoder(code)

    def log_prob(self, x, mean):
        return (-0.5 * (x - mean).pow(2) * torch.exp(-self.log_sigma) - 0.5 * self.log_sigma).sum(1)


def loss_of(model, x):
    code = model.encode(x)
    return -model.log_prob(x, model.decode(code)).mean() + 1e-2 * code.pow(2).mean()


train_loader = DataLoader(TensorDataset(torch.randn(200, 12)), batch_size=24, shuffle=True)
test_loader = DataLoader(TensorDataset(torch.randn(50, 12)), batch_size=20)
net = Mixture()
optimizer = torch.optim.SGD(net.parameters(), lr=0.3)
for epoch in range(3):
    net.train()
    for step, (x,) in enumerate(train_loader):
        optimizer.zero_grad()
        loss = loss_of(net, x)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimizer.step()
    net.eval()
    total = 0.0
    with torch.no_grad():
        for (x,) in test_loader:
            total += F.mse_loss(net.decode(net.encode(x)), x, reduction="sum").item()
    print(f"epoch {epoch}: {total / len(test_loader.dataset):.4f}")
torch.save(net.state_dict(), "mixture.pt")
