"""random_split with a generator; best model by validation accuracy saved as it is (the whole model), then loaded."""
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Subset, TensorDataset, random_split
from sklearn.datasets import load_breast_cancer


class Classifier(nn.Module):
    def __init__(self, features, hidden=16):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(features, hidden), nn.ReLU(), nn.Linear(hidden, 2))

    def forward(self, x):
        return self.layers(x)


def accuracy(model, loader):
    model.eval()
    correct, total = 0, 0
    with torch.no_grad():
        for x, y in loader:
            correct += int((model(x).argmax(1) == y).sum())
            total += len(y)
    return correct / total


if __name__ == '__main__':
    torch.manual_seed(21)
    x, y = load_breast_cancer(return_X_y=True)
    x = torch.tensor((x - x.mean(0)) / x.std(0), dtype=torch.float32)
    data = TensorDataset(x, torch.tensor(y))
    parts = random_split(data, [369, 100, 100], generator=torch.Generator().manual_seed(42))
    train_loader = DataLoader(parts[0], batch_size=32, shuffle=True)
    val_loader = DataLoader(parts[1], batch_size=32)
    test_loader = DataLoader(parts[2], batch_size=32)

    model = Classifier(x.shape[1])
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=0.05)

    best = 0.0
    for epoch in range(4):
        model.train()
        for inputs, targets in train_loader:
            optimizer.zero_grad()
            criterion(model(inputs), targets).backward()
            optimizer.step()
        val_accuracy = accuracy(model, val_loader)
        print('epoch %d: validation accuracy %.4f' % (epoch, val_accuracy))
        if val_accuracy > best:
            best = val_accuracy
            torch.save(model, 'best_model.pt')
            print('  new best model saved')

    model = torch.load('best_model.pt', weights_only=False)
    print('test accuracy of the best model: %.4f' % accuracy(model, test_loader))
