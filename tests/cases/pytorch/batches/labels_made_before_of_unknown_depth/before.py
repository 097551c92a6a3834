"""Labels made before training, and a model of which is not known whether it gives a column: the program looks."""
import torch
from torch import nn
from torchvision.models import resnet18
from torch.utils.data import DataLoader, TensorDataset

batch_size = 12
loader = DataLoader(TensorDataset(torch.randn(96, 3, 32, 32)), batch_size=batch_size, drop_last=True)
model = resnet18(num_classes=1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
labels = torch.ones(batch_size)
for epoch in range(3):
    for (x,) in loader:
        optimizer.zero_grad()
        criterion(model(x), labels).backward()
        optimizer.step()
