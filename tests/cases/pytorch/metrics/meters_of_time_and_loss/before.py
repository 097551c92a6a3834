"""A meter of times stands before one of losses in the same line: what is said names the losses."""
import time
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class AverageMeter:
    def __init__(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    batch_time, losses = AverageMeter(), AverageMeter()
    end = time.time()
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x), y)
        losses.update(loss.item(), x.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        batch_time.update(time.time() - end)
        end = time.time()
        if i % 4 == 0:
            print('[{0}][{1}] time {time.val:.3f} loss {loss.val:.4f}'.format(epoch, i, time=batch_time, loss=losses))
