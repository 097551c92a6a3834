"""What is trained is a layer on the features of a network with batch normalisation that is in evaluation mode: nothing
is said of its statistics, and no last batch stops the program."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        blocks = [nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.ReLU()) for _ in range(3)]
        self.blocks = nn.ModuleList(blocks)
        self.short = nn.Sequential()
        if len(blocks) > 2:
            self.short = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8))

    def forward(self, x, depth=3):
        left = self.short(x)
        for block in self.blocks[:depth]:
            x = block(x)
        return x + left


train_set = TensorDataset(torch.randn(67, 8), torch.randint(0, 4, (67,)))
test_set = TensorDataset(torch.randn(30, 8), torch.randint(0, 4, (30,)))
train_loader = DataLoader(train_set, batch_size=16, shuffle=True)
test_loader = DataLoader(test_set, batch_size=16)
encoder = Encoder()
encoder.load_state_dict(torch.load("encoder.pt"))
encoder.eval()
head = nn.Linear(8, 4)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in train_loader:
        with torch.no_grad():
            features = encoder(x)
        optimizer.zero_grad()
        nn.functional.cross_entropy(head(features), y).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for x, y in test_loader:
            hits += (head(encoder(x)).argmax(1) == y).sum().item()
    print(hits / len(test_set))
