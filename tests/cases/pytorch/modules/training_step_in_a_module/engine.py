import torch.nn.functional as F


def train_one_epoch(model, loader, optimizer, epoch):
    model.train()
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print("epoch", epoch, "loss", total / len(loader))
