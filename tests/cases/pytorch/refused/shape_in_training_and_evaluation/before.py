"""The batch size is a shape in a model that is trained on shards, and evaluated on batches of another number of rows."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

batch_size = 12
train_loader = DataLoader(TensorDataset(torch.randn(96, 2, 3), torch.randn(96, 1)), batch_size=batch_size)
test_loader = DataLoader(TensorDataset(torch.randn(48, 2, 3), torch.randn(48, 1)), batch_size=batch_size)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 1)

    def forward(self, x):
        return self.fc(x.view(batch_size, -1))


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    total = 0.0
    with torch.no_grad():
        for x, y in test_loader:
            total += nn.functional.mse_loss(model(x), y, reduction="sum").item()
    print(epoch, total / 48)
