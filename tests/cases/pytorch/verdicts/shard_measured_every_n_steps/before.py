"""What comes of a shard of a training batch, too, decides nothing: beside what is measured whole, and the step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,))), batch_size=64, shuffle=True)
kept = DataLoader(TensorDataset(torch.randn(200, 10), torch.randint(0, 3, (200,))), batch_size=50)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
criterion = nn.CrossEntropyLoss()
rounds, best, patience, stop = 0, 100.0, 0, False


def measure():
    model.eval()
    losses = []
    with torch.no_grad():
        for x, y in kept:
            losses.append(criterion(model(x), y).item())
    model.train()
    return max(losses)


for epoch in range(2):
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        rounds += 1
        if step % 4 == 0:
            worst = max(measure(), loss.item()) + 0.001 * rounds
            scheduler.step(worst)
            if worst < best:
                best, patience = worst, 0
                torch.save(model.state_dict(), "best.pt")
            else:
                patience += 1
                for group in optimizer.param_groups:
                    group["lr"] = 0.1 * worst
            if patience > 3:
                stop = True
                break
            print(rounds, worst, best)
    if stop:
        break
