"""Every process evaluates in full in some of the steps: rates, the weights that are kept, and the end are rank 0's."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] + 0.3 * torch.randn(400) > 0).long()
train_loader = DataLoader(TensorDataset(x[:320], y[:320]), batch_size=32, shuffle=True)
val_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=32)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)


def worst_batch():
    model.eval()
    losses = []
    with torch.no_grad():
        for data, target in val_loader:
            losses.append(criterion(model(data), target).item())
    model.train()
    return max(losses)


rounds, best, waited, curve = 0, 1e9, 0, {"worst": [], "seen": []}
for epoch in range(4):
    for step, (data, target) in enumerate(train_loader):
        optimizer.zero_grad()
        loss = criterion(model(data), target)
        loss.backward()
        optimizer.step()
        rounds += 1
        if step % 3 == 0:
            score = worst_batch() + 0.002 * rounds
            curve["worst"].append(score)
            curve["seen"].append(rounds)
            scheduler.step(score)
            if score < best - 0.001:
                best, waited = score, 0
                torch.save(model.state_dict(), "best.pt")
            else:
                waited += 1
                for group in optimizer.param_groups:
                    group["lr"] *= 0.5 + 0.1 * score
            print(rounds, score)
    if waited > 4:
        break
print("best", best, "of", curve["worst"], "in", curve["seen"])
