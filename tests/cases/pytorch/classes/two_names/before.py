"""The model is called as an attribute, and by the name it has in the script."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for x, y in loader:
                self.optimizer.zero_grad()
                noisy = net(x + 0.1)
                nn.functional.mse_loss(self.model(x), y + noisy - noisy).backward()
                self.optimizer.step()


torch.manual_seed(0)
x = torch.randn(320, 8)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=16, shuffle=True)
net = nn.Linear(8, 1)
trainer = Trainer(net)
trainer.fit(loader, 3)
