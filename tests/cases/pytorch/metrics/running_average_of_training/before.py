"""A running average and an exponential one are linear in the losses: the mean over processes is the whole."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

for epoch in range(2):
    average = smooth = 0.0
    for i, (xb, yb) in enumerate(loader):
        output = model(xb)
        loss = criterion(output, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average += (loss.item() - average) / (i + 1)
        smooth = 0.9 * smooth + 0.1 * loss.item()
    print(epoch, average, smooth)
