"""BatchNorm, nn.DataParallel, .cuda() under is_available(), CosineAnnealingLR, drop_last."""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
use_cuda = torch.cuda.is_available()

x, y = load_digits(return_X_y=True)
x, y = torch.tensor(x, dtype=torch.float32).view(-1, 1, 8, 8), torch.tensor(y)
trainset = TensorDataset(x[:500], y[:500])
testset = TensorDataset(x[500:801], y[500:801])
trainloader = DataLoader(trainset, batch_size=48, shuffle=True, drop_last=True)
testloader = DataLoader(testset, batch_size=100, shuffle=False)

net = nn.Sequential(
    nn.Conv2d(1, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(), nn.Linear(128, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 10),
)
if use_cuda:
    net = net.cuda()
net = nn.DataParallel(net)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4)

for epoch in range(4):
    net.train()
    for inputs, targets in trainloader:
        if use_cuda:
            inputs, targets = inputs.cuda(), targets.cuda()
        optimizer.zero_grad()
        loss = criterion(net(inputs), targets)
        loss.backward()
        optimizer.step()

    net.eval()
    test_loss, correct = 0, 0
    with torch.no_grad():
        for inputs, targets in testloader:
            if use_cuda:
                inputs, targets = inputs.cuda(), targets.cuda()
            outputs = net(inputs)
            test_loss += criterion(outputs, targets).item() * inputs.size(0)
            correct += outputs.max(1)[1].eq(targets).sum().item()
    print(f'epoch {epoch} test loss {test_loss / len(testset):.4f} acc {correct / len(testset):.4f}')
    scheduler.step()

torch.save(net.module.state_dict(), 'net.pth')
