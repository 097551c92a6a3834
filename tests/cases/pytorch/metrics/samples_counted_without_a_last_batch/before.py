"""The samples of whole batches of training data are counted: each once, so nothing is said."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

train_set = TensorDataset(torch.randn(323, 8), torch.randint(0, 3, (323,)))
loader = DataLoader(train_set, batch_size=32, shuffle=True, drop_last=True)
val_loader = DataLoader(TensorDataset(torch.randn(35, 8), torch.randint(0, 3, (35,))), batch_size=32)
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

print("samples:", sum(x.size(0) for x, _ in loader), "held out:", sum(len(y) for _, y in val_loader))
sizes = [len(y) for _, y in loader]
print("in all:", sum(sizes))
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
