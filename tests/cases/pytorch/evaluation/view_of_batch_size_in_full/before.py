"""The batch size is a shape of whole batches only, which every process evaluates: this stays as it is."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
batch_size = 16
x = torch.randn(64, 4)
loader = DataLoader(TensorDataset(x), batch_size=batch_size, shuffle=True)
test_loader = DataLoader(TensorDataset(x), batch_size=batch_size)
model = nn.Linear(4, 4)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for i, (xb,) in enumerate(loader):
        opt.zero_grad()
        loss = ((model(xb) - xb) ** 2).mean()
        loss.backward()
        opt.step()
    total = 0.0
    for i, (xb,) in enumerate(test_loader):
        recon = model(xb)
        total += ((recon - xb) ** 2).sum().item()
        if i == 0:
            n = min(xb.size(0), 8)
            grid = torch.cat([xb[:n], recon.view(batch_size, 4)[:n]])
            noise = torch.zeros(batch_size, 4)
            torch.save((grid + noise[0]).detach(), "grid.pt")
    print(total / 64)
