"""running_loss += loss.item(), divided by len(loader) at the epoch's end: a mean of batch means, reduced before it is printed."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
train_loader = DataLoader(TensorDataset(torch.randn(640, 16), torch.randint(0, 3, (640,))), batch_size=64, shuffle=True)
model = nn.Linear(16, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(5):
    running_loss = 0.0
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
    print(f'Epoch {epoch + 1}, loss {running_loss / len(train_loader):.4f}')
