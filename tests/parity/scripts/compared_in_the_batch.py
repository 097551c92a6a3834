"""Triplets and labels are compared in the batch; the last one is short, and evaluation computes the same loss."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset


def pairwise_distances(embeddings):
    dot_product = torch.matmul(embeddings, embeddings.t())
    square_norm = torch.diag(dot_product)
    distances = square_norm.unsqueeze(0) - 2.0 * dot_product + square_norm.unsqueeze(1)
    return F.relu(distances)


def batch_hard_triplet_loss(labels, embeddings, margin):
    distances = pairwise_distances(embeddings)
    same = labels.unsqueeze(0) == labels.unsqueeze(1)
    other = ~torch.eye(labels.size(0)).bool()
    hardest_positive, _ = (distances * (same & other).float()).max(1, keepdim=True)
    most, _ = distances.max(1, keepdim=True)
    hardest_negative, _ = (distances + most * same.float()).min(1, keepdim=True)
    return F.relu(hardest_positive - hardest_negative + margin).mean()


def main():
    torch.manual_seed(0)
    digits = load_digits()
    images = torch.tensor(digits.data, dtype=torch.float32) / 16
    labels = torch.tensor(digits.target)
    loader = DataLoader(TensorDataset(images[:1500], labels[:1500]), batch_size=50, shuffle=True)
    held_out = DataLoader(TensorDataset(images[1500:], labels[1500:]), batch_size=100)
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 16))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        model.train()
        total = 0.0
        for data, target in loader:
            optimizer.zero_grad()
            loss = batch_hard_triplet_loss(target, model(data), 0.5)
            loss.backward()
            optimizer.step()
            total += loss.item()
        model.eval()
        with torch.no_grad():
            value = sum(batch_hard_triplet_loss(t, model(x), 0.5).item() for x, t in held_out) / len(held_out)
        print(f"{epoch}: {total / len(loader):.5f} {value:.5f}")


main()
