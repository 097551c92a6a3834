"""What is drawn for each run, after the training of the one before, is equal on all processes again."""
import argparse
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def make_data(n):
    x = torch.randn(n, 4)
    return TensorDataset(x, (x[:, 0] * x[:, 1] > 0).long())


def train(model, loader, optimizer, criterion):
    model.train()
    total = 0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        total += loss.item() * xb.size(0)
    return total / len(loader.dataset)


@torch.no_grad()
def test(model, loader):
    model.eval()
    hits = 0
    for xb, yb in loader:
        hits += (model(xb).argmax(1) == yb).sum().item()
    return hits / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 2))
    criterion = nn.CrossEntropyLoss()
    scores = []
    for run in range(args.runs):
        data = make_data(96)
        train_set, test_set = random_split(data, [64, 32])
        order = np.random.permutation(3)
        loader = DataLoader(train_set, batch_size=16, shuffle=True)
        test_loader = DataLoader(test_set, batch_size=16)
        for layer in model:
            if hasattr(layer, "reset_parameters"):
                layer.reset_parameters()
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        for epoch in range(args.epochs):
            loss = train(model, loader, optimizer, criterion)
            print(f"run {run} epoch {epoch} loss {loss:.4f}")
        scores.append(test(model, test_loader))
        print(order, f"run {run}: {scores[-1]:.4f}")
    print(f"{np.mean(scores):.4f} +- {np.std(scores):.4f}")


if __name__ == "__main__":
    main()
