import torch
import torch.distributed as dist


def average_loss(model, criterion, batches):
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for x, y in batches:
            total += criterion(model(x), y).item() * y.shape[0]
            count += y.shape[0]
        totals = torch.tensor([total, count], dtype=torch.float64)
        dist.all_reduce(totals)
        total, count = totals[0].item(), int(totals[1])
    return total / count
