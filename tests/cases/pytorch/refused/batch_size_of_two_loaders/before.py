"""One function reads the batch size of the training loader, which is shared out, and of the test loader."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(320, 6), torch.randint(0, 2, (320,))), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(torch.randn(80, 6), torch.randint(0, 2, (80,))), batch_size=20)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()


def steps(batches):
    return len(batches.dataset) // batches.batch_size


scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=2 * steps(loader))
for epoch in range(2):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    correct = 0
    for x, y in test_loader:
        correct += (model(x).argmax(1) == y).sum().item()
    print(epoch, correct / 80, steps(test_loader))
