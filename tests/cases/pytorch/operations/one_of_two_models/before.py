"""Which of two models is trained is chosen by an option, and one of them subtracts the mean of the batch."""
import argparse
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(10, 2)

    def forward(self, x):
        return self.head(x)


class Centered(Plain):
    def forward(self, x):
        return self.head(x - x.mean(0))


parser = argparse.ArgumentParser()
parser.add_argument("--centered", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,))), batch_size=32)
model = Centered() if args.centered else Plain()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    print(epoch)
