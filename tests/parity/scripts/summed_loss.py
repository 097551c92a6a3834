"""CrossEntropyLoss(reduction='sum') is what is minimised; the printed losses are divided by the number of samples."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(4)
x = torch.randn(330, 12)
y = x[:, :4].argmax(1)
train_set, test_set = TensorDataset(x[:210], y[:210]), TensorDataset(x[210:], y[210:])
train_loader = DataLoader(train_set, batch_size=20, shuffle=True)
test_loader = DataLoader(test_set, batch_size=50)

model = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 4))
criterion = nn.CrossEntropyLoss(reduction='sum')
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for epoch in range(1, 5):
    train_loss = 0
    for xb, yb in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        train_loss += loss.item()

    test_loss = 0
    with torch.no_grad():
        for xb, yb in test_loader:
            test_loss += criterion(model(xb), yb).item()
    print('Epoch: {} \tTraining Loss: {:.6f} \tTest Loss: {:.6f}'.format(
        epoch, train_loss / len(train_loader.dataset), test_loss / len(test_loader.dataset)))
