"""An epoch is tried outside the loop over epochs, then a model is made anew: each is wrapped where it is made."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def one_step(model, a, b, optimizer):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(a), b)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


def train_epoch(model, loader, optimizer):
    model.train()
    total = 0.0
    for a, b in loader:
        total += one_step(model, a, b, optimizer) * len(a)
    return total / len(loader.dataset)


def fresh():
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 4)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=16, shuffle=True)
    model, optimizer = fresh()
    _ = train_epoch(model, loader, optimizer)
    print("tried", sum(weight.abs().sum().item() for weight in model.parameters()))
    model, optimizer = fresh()
    for epoch in range(3):
        loss = train_epoch(model, loader, optimizer)
        print(epoch, loss)
    torch.save(model.state_dict(), "model.pt")


main()
