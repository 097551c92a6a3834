"""The script imports from torch only; the name torch is free."""
import torch.nn as nn
from torch import manual_seed, randn, randint, no_grad, save
from torch.optim import SGD
from torch.utils.data import DataLoader, TensorDataset
manual_seed(0)
loader = DataLoader(TensorDataset(randn(320, 10), randint(0, 3, (320,))), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(randn(70, 10), randint(0, 3, (70,))), batch_size=32)
model = nn.Sequential(nn.Linear(10, 8), nn.Dropout(), nn.Linear(8, 3))
optimizer = SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    hits = 0
    model.eval()
    with no_grad():
        for x, y in test_loader:
            hits += (model(x).argmax(1) == y).sum().item()
    model.train()
    print(hits / 70)
save(model.state_dict(), "x.pt")
