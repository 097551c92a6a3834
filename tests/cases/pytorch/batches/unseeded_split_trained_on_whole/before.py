"""The split is drawn without a seed: all processes need the same one."""
import torch
from sklearn.model_selection import train_test_split
from torch import nn

points = torch.randn(400, 5)
targets = points.sum(dim=1, keepdim=True)
x_train, x_test, y_train, y_test = train_test_split(points, targets, test_size=100)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    loss = nn.functional.mse_loss(model(x_train), y_train)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(nn.functional.mse_loss(model(x_test), y_test).item())
