"""A dense network with 500 inputs and two classes: 500-256-128-64-2, 169,538 parameters.

Trained with plain SGD and cross entropy on synthetic data, made with a fixed seed.

    python dense_500.py
"""

import argparse

import torch
from sklearn.datasets import make_classification
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 12
BATCH_SIZE = 64
LEARNING_RATE = 0.01


def make_data(n_train=8000, n_test=2000):
    """500 features, of which 40 tell the two classes apart."""
    x, y = make_classification(
        n_samples=n_train + n_test,
        n_features=500,
        n_informative=40,
        n_redundant=60,
        n_clusters_per_class=2,
        class_sep=1.5,
        random_state=7,
    )
    x = torch.tensor(x, dtype=torch.float32)
    y = torch.tensor(y)
    x = (x - x[:n_train].mean(0)) / x[:n_train].std(0)
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])


def train_one_epoch(model, loader, criterion, optimizer, device):
    """One pass over the training data; returns mean loss and accuracy."""
    model.train()
    total_loss, correct, total = 0.0, 0, 0
    for inputs, targets in loader:
        inputs, targets = inputs.to(device), targets.to(device)
        outputs = model(inputs)
        loss = criterion(outputs, targets)

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        total_loss += loss.item() * targets.size(0)
        correct += (outputs.argmax(1) == targets).sum().item()
        total += targets.size(0)
    return total_loss / total, correct / total


@torch.no_grad()
def evaluate(model, loader, criterion, device):
    """Mean loss and accuracy over all of the loader's samples."""
    model.eval()
    total_loss, correct, total = 0.0, 0, 0
    for inputs, targets in loader:
        inputs, targets = inputs.to(device), targets.to(device)
        outputs = model(inputs)
        total_loss += criterion(outputs, targets).item() * targets.size(0)
        correct += (outputs.argmax(1) == targets).sum().item()
        total += targets.size(0)
    return total_loss / total, correct / total


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A dense network on synthetic data")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--batch-size", type=int, default=BATCH_SIZE)
    parser.add_argument("--lr", type=float, default=LEARNING_RATE)
    parser.add_argument("--seed", type=int, default=42)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"

    train_set, test_set = make_data()
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=500, shuffle=False)

    model = nn.Sequential(
        nn.Linear(500, 256),
        nn.ReLU(),
        nn.Linear(256, 128),
        nn.ReLU(),
        nn.Linear(128, 64),
        nn.ReLU(),
        nn.Linear(64, 2),
    ).to(device)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters")

    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=args.lr)

    for epoch in range(1, args.epochs + 1):
        train_loss, train_acc = train_one_epoch(model, train_loader, criterion, optimizer, device)
        test_loss, test_acc = evaluate(model, test_loader, criterion, device)
        print(
            f"epoch {epoch:2d}: train loss {train_loss:.4f}, train accuracy {train_acc:.4f}, "
            f"test loss {test_loss:.4f}, test accuracy {test_acc:.4f}"
        )
