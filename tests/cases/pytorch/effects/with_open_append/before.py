"""with open(..., 'a') in the epoch loop: guarded as a whole, with the value reduced before it."""
import json
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

with open("config.json", "w") as f:
    json.dump({"lr": 0.01, "epochs": 3}, f)
with open("config.json") as f:
    config = json.load(f)
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=config["lr"])
for epoch in range(config["epochs"]):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
    with open("history.txt", "a") as f:
        f.write("%d\t%.5f\n" % (epoch, total / len(loader.dataset)))
