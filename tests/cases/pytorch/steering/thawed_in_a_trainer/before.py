"""A trainer freezes parameters before training, and thaws them in the training loop."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
        self.fc = nn.Linear(16, 2)
    def forward(self, x):
        return self.fc(self.features(x))

class Trainer:
    def __init__(self, model, loader):
        self.model, self.loader = model, loader
        self.freeze()
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)
    def freeze(self):
        for p in self.model.features.parameters():
            p.requires_grad = False
    def unfreeze(self):
        for p in self.model.features.parameters():
            p.requires_grad = True
    def on_epoch(self, epoch):
        if epoch == 1:
            self.unfreeze()
    def fit(self, epochs):
        for epoch in range(epochs):
            self.on_epoch(epoch)
            for xb, yb in self.loader:
                loss = F.cross_entropy(self.model(xb), yb)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()

torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = Net()
trainer = Trainer(model, loader)
trainer.fit(3)
torch.save(model.state_dict(), "m.pt")
