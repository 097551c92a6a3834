"""The name of the model is given to another network in the loop: in front of it, it is the first one."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
features = torch.randn(64, 4)
loader = DataLoader(TensorDataset(features, (features[:, 0] > 0).long()), batch_size=16, shuffle=True)
model = nn.Linear(4, 2)
print(model(features[:1]).shape)
network = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    model = network
    model.train()
    for inputs, labels in loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
torch.save(network.state_dict(), "network.pt")
