"""SummaryWriter: loss per step and accuracy per epoch."""
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.tensorboard import SummaryWriter

torch.manual_seed(6)
writer = SummaryWriter('runs')

x, y = load_digits(return_X_y=True)
x, y = torch.tensor(x, dtype=torch.float32) / 16, torch.tensor(y)
train_loader = DataLoader(TensorDataset(x[:320], y[:320]), batch_size=32, shuffle=True)
valid_loader = DataLoader(TensorDataset(x[320:521], y[320:521]), batch_size=64, shuffle=False)

model = nn.Linear(64, 10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

step = 0
for epoch in range(3):
    model.train()
    for data, target in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(data), target)
        loss.backward()
        optimizer.step()
        writer.add_scalar('train/loss', loss.item(), step)
        step += 1

    model.eval()
    correct = 0
    with torch.no_grad():
        for data, target in valid_loader:
            correct += (model(data).argmax(1) == target).float().sum().item()
    accuracy = correct / len(valid_loader.dataset)
    writer.add_scalar('valid/accuracy', accuracy, epoch)
    print(f'Epoch {epoch + 1}, {step} steps, accuracy {accuracy:.4f}')

writer.close()
