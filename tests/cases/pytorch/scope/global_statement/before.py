"""A global best accuracy is rebound in test(): the reduced value is what enters it."""
import os
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

best_acc = 0
torch.manual_seed(0)
trainloader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,))), batch_size=32, shuffle=True)
testloader = DataLoader(TensorDataset(torch.randn(70, 10), torch.randint(0, 2, (70,))), batch_size=32, shuffle=False)
net = nn.Linear(10, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def train(epoch):
    for x, y in trainloader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


def test(epoch):
    global best_acc
    correct = 0
    total = 0
    with torch.no_grad():
        for x, y in testloader:
            correct += net(x).argmax(1).eq(y).sum().item()
            total += y.size(0)
    acc = 100. * correct / total
    if acc > best_acc:
        print('Saving..')
        state = {'net': net.state_dict(), 'acc': acc, 'epoch': epoch}
        if not os.path.isdir('checkpoint'):
            os.mkdir('checkpoint')
        torch.save(state, './checkpoint/ckpt.pth')
        best_acc = acc


for epoch in range(5):
    train(epoch)
    test(epoch)
