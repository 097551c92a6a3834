"""The model gives a dict of outputs, and each has its loss in a dict: they are put together by name, or all."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(12, 16)
        self.kind = nn.Linear(16, 3)
        self.size = nn.Linear(16, 1)

    def forward(self, x):
        h = torch.relu(self.stem(x))
        return {"kind": self.kind(h), "size": self.size(h).squeeze(1)}


def losses_of(outputs, kinds, sizes):
    losses = {}
    losses["kind"] = F.cross_entropy(outputs["kind"], kinds)
    losses["size"] = 0.5 * F.mse_loss(outputs["size"], sizes)
    return losses


torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 12), torch.randint(0, 3, (320,)), torch.randn(320))
train_loader = DataLoader(data, batch_size=32, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    for x, kinds, sizes in train_loader:
        losses = losses_of(model(x), kinds, sizes)
        loss = sum(losses.values()) if epoch > 0 else losses["kind"] + losses["size"]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
