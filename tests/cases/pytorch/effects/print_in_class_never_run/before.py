"""A print inside a method that the script never calls is left alone, as is a comment with print() and a string with code."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

USAGE = """
for epoch in range(10):
    loss.backward(); optimizer.step(); print(loss)
"""


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(10, 1)

    def forward(self, x):
        # print(x.shape)
        return self.fc(x)

    def describe(self):
        print("a linear model with", self.fc.in_features, "inputs")
        torch.save(self.state_dict(), "described.pt")


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
