"""The model computes its loss where it is given targets, and gives it in a dict."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 3))

    def forward(self, x, targets=None):
        logits = self.layers(x)
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits, targets)
        return {"loss": loss, "logits": logits}


torch.manual_seed(0)
train_loader = DataLoader(TensorDataset(torch.randn(320, 12), torch.randint(0, 3, (320,))), batch_size=32, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    for x, y in train_loader:
        outputs = model(x, y)
        optimizer.zero_grad()
        outputs["loss"].backward()
        optimizer.step()
