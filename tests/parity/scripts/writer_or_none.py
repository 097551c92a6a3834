"""A writer that an option asks for, a best loss that is none at first, passes by iter() and a sequential sampler."""
import argparse

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, SequentialSampler, TensorDataset
from torch.utils.tensorboard import SummaryWriter

parser = argparse.ArgumentParser()
parser.add_argument('--log', action='store_true')
args = parser.parse_args()
torch.manual_seed(6)
writer = SummaryWriter('runs') if args.log else None

x, y = load_digits(return_X_y=True)
x, y = torch.tensor(x, dtype=torch.float32) / 16, torch.tensor(y)
held_out = TensorDataset(x[320:521], y[320:521])
train_loader = DataLoader(TensorDataset(x[:320], y[:320]), batch_size=32, shuffle=True)
valid_loader = DataLoader(held_out, batch_size=64, sampler=SequentialSampler(held_out))
last_loader = DataLoader(held_out, batch_size=64)

model = nn.Linear(64, 10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

step = 0
best = None
for epoch in range(3):
    model.train()
    for data, target in iter(train_loader):
        optimizer.zero_grad()
        loss = criterion(model(data), target)
        loss.backward()
        optimizer.step()
        if writer is not None and step % 2 == 0:
            writer.add_scalar('train/loss', loss.item(), step)
        step += 1
    if best is None or loss.item() < best:
        best = loss.item()

    model.eval()
    correct = 0
    with torch.no_grad():
        for data, target in valid_loader:
            correct += (model(data).argmax(1) == target).sum().item()
        for data, target in last_loader:
            loss = criterion(model(data), target)
    if writer:
        writer.add_scalar('valid/accuracy', correct / len(held_out), epoch)
    print(f'Epoch {epoch + 1}, accuracy {correct / len(held_out):.4f}, best {best:.4f}, last {loss.item():.4f}')
