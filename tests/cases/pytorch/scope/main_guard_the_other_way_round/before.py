"""A guard written the other way round is one: processes of a loader import the script, and must not join the group."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

if __name__ != "__main__":
    print("imported")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(10, 1)

    def forward(self, x):
        return self.layer(x)


def main():
    loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True, num_workers=2)
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
    print(loss_of(model))


def loss_of(model):
    return model(torch.ones(1, 10)).item()


if "__main__" == __name__:
    main()
