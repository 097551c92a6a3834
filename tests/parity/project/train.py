"""Digits of two kinds: data, model and training lie in files of their own."""

import argparse

import torch

from engine import Net, evaluate, train
from loaders import loaders

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()

torch.manual_seed(3)
train_loader, test_loader = loaders(batch_size=16)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(args.epochs):
    loss = train(model, train_loader, optimizer)
    accuracy = evaluate(model, test_loader)
    print(f"epoch {epoch}: loss {loss:.4f}, accuracy {accuracy:.3f}")
torch.save(model.state_dict(), "net.pt")
