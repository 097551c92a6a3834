"""Only a part of the model is called in the step, with a head beside it: the whole is never called there."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(20, 32), nn.ReLU())
        self.head = nn.Linear(32, 5)

    def forward(self, x):
        return self.head(self.backbone(x))


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 20), torch.randint(0, 5, (320,))), batch_size=32, shuffle=True)
model = Net()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        features = model.backbone(x)
        loss = criterion(model.head(features), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
