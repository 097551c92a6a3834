"""One evaluation loop keeps a mean of batch means and a count of hits: sharding by whole batches is exact for both."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
train_dl = DataLoader(TensorDataset(torch.randn(500, 12), torch.randint(0, 3, (500,))), batch_size=25, shuffle=True)
valid_dl = DataLoader(TensorDataset(torch.randn(77, 12), torch.randint(0, 3, (77,))), batch_size=25)
model = nn.Linear(12, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

for epoch in range(3):
    for x, y in train_dl:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()

    valid_loss, hits = 0.0, 0
    with torch.no_grad():
        for x, y in valid_dl:
            logits = model(x)
            valid_loss += criterion(logits, y).item()
            hits += (logits.argmax(1) == y).sum().item()
    print(f"{epoch}: loss {valid_loss / len(valid_dl):.4f}, accuracy {hits / len(valid_dl.dataset):.4f}")
