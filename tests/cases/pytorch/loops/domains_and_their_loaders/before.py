"""A loop trains on one loader after the other, and shows the name of each."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(160, 8)
y = (x.sum(1) > 0).long()
pictures = DataLoader(TensorDataset(x[:96], y[:96]), batch_size=16, shuffle=True)
drawings = DataLoader(TensorDataset(x[96:], y[96:]), batch_size=16, shuffle=True)
model = nn.Linear(8, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for domain, loader in [("pictures", pictures), ("drawings", drawings)]:
        total = 0.0
        for inputs, labels in loader:
            optimizer.zero_grad()
            loss = criterion(model(inputs), labels)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(epoch, domain, total / len(loader))
