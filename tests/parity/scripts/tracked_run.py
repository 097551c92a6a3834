"""A tracker: settings that are read back, loss per step and accuracy per epoch."""
import torch
import wandb
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(6)
run = wandb.init(project='digits', config={'lr': 0.1, 'epochs': 3})
config = wandb.config

x, y = load_digits(return_X_y=True)
x, y = torch.tensor(x, dtype=torch.float32) / 16, torch.tensor(y)
train_loader = DataLoader(TensorDataset(x[:320], y[:320]), batch_size=32, shuffle=True)
valid_loader = DataLoader(TensorDataset(x[320:521], y[320:521]), batch_size=64, shuffle=False)

model = nn.Linear(64, 10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=config.lr)

step = 0
for epoch in range(config.epochs):
    model.train()
    for data, target in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(data), target)
        loss.backward()
        optimizer.step()
        if step % 2 == 0:
            wandb.log({'loss': loss.item(), 'epoch': epoch})
        step += 1

    model.eval()
    correct = 0
    with torch.no_grad():
        for data, target in valid_loader:
            correct += (model(data).argmax(1) == target).float().sum().item()
    accuracy = correct / len(valid_loader.dataset)
    run.log({'accuracy': accuracy})
    print(f'Epoch {epoch + 1}, {step} steps, accuracy {accuracy:.4f}')

run.summary['accuracy'] = accuracy
wandb.finish()
