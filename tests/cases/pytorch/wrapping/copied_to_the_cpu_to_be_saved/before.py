"""A copy may go to the CPU, and the model itself once it is trained; moved to where it is, it stays as it is."""

import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,))), batch_size=8, shuffle=True)
model = nn.Linear(4, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(5):
    model.to(device)
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs.to(device)), labels.to(device)).backward()
        optimizer.step()
    torch.save(copy.deepcopy(model).cpu().state_dict(), "model.pth")
torch.save(model.cpu().state_dict(), "last.pth")
