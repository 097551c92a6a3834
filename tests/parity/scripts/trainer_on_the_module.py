"""The epochs are counted outside of the class, whose object is a name of the script; losses are kept on it."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Learner:
    def __init__(self, net, rate):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=rate)
        self.losses = []

    def learn(self, loader):
        self.net.train()
        total = 0.0
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = F.mse_loss(self.net(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        self.losses.append(total / len(loader))


torch.manual_seed(1)
x = torch.randn(256, 5)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=32, shuffle=True)
learner = Learner(nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1)), 0.05)
for epoch in range(1, 5):
    learner.learn(loader)
    print(f"epoch {epoch}: {learner.losses[-1]:.6f}")
torch.save({"net": learner.net.state_dict(), "optimizer": learner.optimizer.state_dict()}, "learner.pt")
