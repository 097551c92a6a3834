"""A model of two networks trains itself, by a method that makes a step of each, in epochs that another method counts."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Coders(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 4))
        self.second = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 4))
        self.of_first = torch.optim.SGD(self.first.parameters(), lr=0.05)
        self.of_second = torch.optim.SGD(self.second.parameters(), lr=0.05)
        self.criterion = nn.MSELoss()

    def train_step(self, x):
        guess = self.first(x)
        self.of_first.zero_grad()
        near = self.criterion(guess, torch.full(size=(len(x), 4), fill_value=0.5)) + self.criterion(guess, x)
        near.backward()
        self.of_first.step()
        self.of_second.zero_grad()
        again = self.criterion(self.second(guess.detach()), x)
        again.backward()
        self.of_second.step()
        return near.item(), again.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            total = 0.0
            for (x,) in loader:
                near, again = self.train_step(x)
                total += near + again
            print(f"epoch {epoch}: {total / len(loader):.6f}")


torch.manual_seed(2)
coders = Coders()
coders.fit(DataLoader(TensorDataset(torch.randn(256, 4)), batch_size=32, shuffle=True), 4)
torch.save(coders.state_dict(), "coders.pt")
