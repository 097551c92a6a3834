"""A text is made of numbers that a comprehension computes: it shows rank 0's, which is said."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


torch.manual_seed(0)
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
loader = DataLoader(data, batch_size=64, shuffle=True)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for step, (x, y) in enumerate(loader):
        output = model(x)
        loss = criterion(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 5 == 0:
            line = ", ".join(f"{output[:, column].mean().item():.3f}" for column in range(2))
            print(line)
