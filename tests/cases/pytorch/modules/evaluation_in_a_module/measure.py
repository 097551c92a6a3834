import torch


def average_loss(model, criterion, batches):
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for x, y in batches:
            total += criterion(model(x), y).item() * y.shape[0]
            count += y.shape[0]
    return total / count
