"""One function trains and evaluates, another measures on both loaders; of the test data the predictions are kept."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def loader_of(data, train):
    return DataLoader(data, batch_size=16, shuffle=train)


torch.manual_seed(4)
x = torch.randn(203, 8)
y = (x.sum(1) > 0).long()
train_loader = loader_of(TensorDataset(x[:160], y[:160]), True)
test_loader = loader_of(TensorDataset(x[160:], y[160:]), False)
model = nn.Sequential(nn.Linear(8, 12), nn.Tanh(), nn.Linear(12, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)


def run(loader, train):
    model.train(train)
    total, outputs = 0.0, []
    with torch.set_grad_enabled(train):
        for inputs, labels in loader:
            scores = model(inputs)
            loss = criterion(scores, labels)
            if train:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            else:
                outputs.append(scores.argmax(1))
            total += loss.item()
    return total / len(loader), outputs


def accuracy(loader):
    correct = seen = 0
    with torch.no_grad():
        for inputs, labels in loader:
            correct += (model(inputs).argmax(1) == labels).sum().item()
            seen += len(labels)
    return correct / seen


for epoch in range(3):
    train_loss, _ = run(train_loader, True)
    test_loss, predicted = run(test_loader, False)
    print(f"{epoch}: {train_loss:.5f} {test_loss:.5f} {accuracy(train_loader):.4f} {accuracy(test_loader):.4f}")
torch.save(torch.cat(predicted), "predicted.pt")
