"""A progress bar in a module of the project prints at each batch: rank 0 alone calls it, with global values."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from bars import progress_bar

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    train_loss, correct, seen = 0, 0, 0
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        output = model(x)
        loss = nn.functional.cross_entropy(output, y)
        loss.backward()
        optimizer.step()
        train_loss += loss.item()
        seen += y.size(0)
        correct += output.argmax(1).eq(y).sum().item()
        progress_bar(i, len(loader), 'Loss: %.3f | %d of %d' % (train_loss / (i + 1), correct, seen))
