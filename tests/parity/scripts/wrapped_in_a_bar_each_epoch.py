"""Each epoch gives the names of the loaders to progress bars around them; the model trains by a method of its own."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm


class Classifier(nn.Module):
    def __init__(self, activation="tanh"):
        super().__init__()
        self.activation = activation
        self.first = nn.Linear(6, 16)
        self.last = nn.Linear(16, 3)
        self.activations = nn.ModuleDict([["relu", nn.ReLU()], ["tanh", nn.Tanh()]])

    def forward(self, x):
        return self.last(self.activations[self.activation](self.first(x)))

    def learn(self, loader, held_out, optimizer, epochs):
        criterion = nn.CrossEntropyLoss()
        for epoch in range(epochs):
            loader = tqdm(loader, desc=f"epoch {epoch}")
            self.train()
            total = 0.0
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(self(x), y)
                loss.backward()
                optimizer.step()
                total += loss.item()
                loader.set_postfix(loss=loss.item())
            print(f"epoch {epoch}: {total / len(loader):.6f}")
            held_out = tqdm(held_out)
            self.eval()
            right = 0
            with torch.no_grad():
                for x, y in held_out:
                    right += (self(x).argmax(1) == y).sum().item()
            print(f"right: {right}")


torch.manual_seed(3)
x = torch.randn(256, 6)
data = TensorDataset(x, x[:, :3].argmax(1))
model = Classifier()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.learn(DataLoader(data, batch_size=32, shuffle=True), DataLoader(data, batch_size=50), optimizer, 4)
torch.save(model.state_dict(), "classifier.pt")
