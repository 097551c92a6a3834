"""Gradients clipped by norm where an argument says so, and by value; the norm is logged."""
import argparse

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset


def train_epoch(model, loader, optimizer, max_norm):
    total_loss, total_norm = 0.0, 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        if max_norm > 0:
            total_norm += clip_grad_norm_(model.parameters(), max_norm).item()
        nn.utils.clip_grad_value_(model.parameters(), 0.05)
        optimizer.step()
        total_loss += loss.item()
    return total_loss / len(loader), total_norm / len(loader)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--max-norm", type=float, default=0.25)
    args = parser.parse_args()
    torch.manual_seed(0)
    digits = load_digits()
    x = torch.tensor(digits.data, dtype=torch.float32)[:768] / 16
    y = torch.tensor(digits.target)[:768]
    loader = DataLoader(TensorDataset(x, y), batch_size=64, shuffle=True)
    model = nn.Sequential(nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for epoch in range(2):
        loss, norm = train_epoch(model, loader, optimizer, args.max_norm)
        print(f"epoch {epoch}: loss {loss:.4f}, norm {norm:.4f}")


if __name__ == "__main__":
    main()
