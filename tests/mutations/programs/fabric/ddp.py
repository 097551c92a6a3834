"""`before.py` with Lightning Fabric, by hand; one process evaluates every other sample."""
import os

import torch
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

fabric = Fabric(accelerator="cpu", devices=int(os.environ["WORLD_SIZE"]), strategy="ddp")
fabric.launch()
torch.manual_seed(0)
x = torch.randn(66, 10)
y = (x[:, 0] > 0).long()
train_loader = DataLoader(TensorDataset(x[:45], y[:45]), batch_size=8 // fabric.world_size, shuffle=True)
own = range(fabric.global_rank, 21, fabric.world_size)
test_loader = DataLoader(Subset(TensorDataset(x[45:], y[45:]), own), batch_size=8)
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
model, optimizer = fabric.setup(model, optimizer)
train_loader = fabric.setup_dataloaders(train_loader)
test_loader = fabric.setup_dataloaders(test_loader, use_distributed_sampler=False)

for epoch in range(3):
    model.train()
    for a, b in train_loader:
        loss = nn.functional.cross_entropy(model(a), b)
        optimizer.zero_grad()
        fabric.backward(loss)
        fabric.clip_gradients(model, optimizer, max_norm=0.5)
        optimizer.step()
    model.eval()
    correct = torch.tensor(0)
    with torch.no_grad():
        for a, b in test_loader:
            correct += (model(a).argmax(1) == b).sum()
    correct = fabric.all_reduce(correct, reduce_op="sum").item()
    fabric.print(f"epoch {epoch}: accuracy {correct / 21:.2%}")
if fabric.is_global_zero:
    torch.save(model.module.state_dict(), "model.pt")
