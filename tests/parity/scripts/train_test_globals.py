"""train(epoch) and test() reach model, optimizer and loaders as globals; counted totals; no guard."""
import torch
from torch import nn
from torch.autograd import Variable
from torch.utils.data import Dataset, DataLoader
from sklearn import datasets

torch.manual_seed(7)


class IrisDataset(Dataset):
    def __init__(self, train):
        iris = datasets.load_iris()
        x = torch.from_numpy(iris.data).float()
        y = torch.from_numpy(iris.target).long()
        rows = torch.arange(len(y)) % 3 != 2 if train else torch.arange(len(y)) % 3 == 2
        self.x, self.y = x[rows], y[rows]

    def __getitem__(self, i):
        return self.x[i], self.y[i]

    def __len__(self):
        return self.y.shape[0]


train_loader = DataLoader(dataset=IrisDataset(True), batch_size=20, shuffle=True)
test_loader = DataLoader(dataset=IrisDataset(False), batch_size=20, shuffle=False)

model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4, nesterov=True)


def train(epoch):
    model.train()
    train_loss = 0
    correct = 0
    total = 0
    for batch_idx, (inputs, targets) in enumerate(train_loader):
        inputs, targets = Variable(inputs), Variable(targets)
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()

        train_loss += loss.item()
        _, predicted = outputs.max(1)
        total += targets.size(0)
        correct += predicted.eq(targets).sum().item()
    print('Epoch: %d | Loss: %.4f | Acc: %.3f%% (%d/%d)'
          % (epoch, train_loss / len(train_loader), 100. * correct / total, correct, total))


def test():
    global best_acc
    model.eval()
    correct = 0
    total = 0
    with torch.no_grad():
        for inputs, targets in test_loader:
            outputs = model(inputs)
            _, predicted = outputs.max(1)
            total += targets.size(0)
            correct += predicted.eq(targets).sum().item()
    acc = 100. * correct / total
    print('Test Acc: %.3f%% (%d/%d)' % (acc, correct, total))
    if acc > best_acc:
        print('Saving..')
        torch.save({'net': model.state_dict(), 'acc': acc}, 'ckpt.pth')
        best_acc = acc


best_acc = 0
for epoch in range(5):
    train(epoch)
    test()
