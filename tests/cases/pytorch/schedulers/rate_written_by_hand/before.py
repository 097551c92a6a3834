"""adjust_learning_rate writes into param_groups each epoch: a function of the epoch, left alone in strong scaling."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

base_lr = 0.1


def adjust_learning_rate(optimizer, epoch):
    """Sets the learning rate to the initial LR decayed by 10 every 30 epochs"""
    lr = base_lr * (0.1 ** (epoch // 30))
    for param_group in optimizer.param_groups:
        param_group['lr'] = lr


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), base_lr)
for epoch in range(90):
    adjust_learning_rate(optimizer, epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
