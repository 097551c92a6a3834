"""Every process evaluates in full: when training ends, its rates and the weights it goes on with are rank 0's."""
import copy
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


def evaluate():
    model.eval()
    losses = []
    with torch.no_grad():
        for data, target in val_loader:
            losses.append(criterion(model(data), target).item())
    return sum(losses) / len(losses)


best, waited, epoch, state = 1e9, 0, 0, None
while waited < 3 and epoch < 30:
    model.train()
    total = 0.0
    for data, target in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(data), target)
        loss.backward()
        optimizer.step()
        total += loss.item()
    val = evaluate()
    scheduler.step(val)
    if val < best - 0.001:
        best, waited = val, 0
        torch.save(model.state_dict(), "best.pt")
        state = copy.deepcopy(model.state_dict())
    elif val > best + 0.2:
        print("worse", total / len(train_loader))
        break
    else:
        waited += 1
        for group in optimizer.param_groups:
            group["lr"] *= 0.5
    if waited == 2:
        model.load_state_dict(state)
        print("reloaded", loss.item())
    epoch += 1
print(epoch, f"{best:.4f}")
