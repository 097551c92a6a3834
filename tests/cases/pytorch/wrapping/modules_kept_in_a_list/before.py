"""A module that a model keeps in a plain list, and one that it calls by a global name, are no parts of it: DDP sees neither."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoders = [encoder]
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(torch.relu(middle(torch.relu(self.encoders[0](x)))))


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,))), batch_size=32)
encoder = nn.Linear(10, 8)
middle = nn.Linear(8, 8)
model = Net(encoder)
parameters = list(model.parameters()) + list(encoder.parameters()) + list(middle.parameters())
optimizer = torch.optim.SGD(parameters, lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
print(sum(p.abs().sum().item() for p in parameters))
