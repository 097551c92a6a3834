"""An object holds another one that holds the model."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class State:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


class Trainer:
    def __init__(self, model):
        self.state = State(model)

    def step(self, x, y):
        self.state.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.state.model(x), y)
        loss.backward()
        self.state.optimizer.step()
        return loss.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            total = 0.0
            for x, y in loader:
                total += self.step(x, y)
            print(epoch, total / len(loader))


torch.manual_seed(0)
x = torch.randn(320, 8)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=16, shuffle=True)
trainer = Trainer(nn.Linear(8, 1))
trainer.fit(loader, 3)
