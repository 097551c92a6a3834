"""if not exists: makedirs is guarded as a whole; two processes asking at once would both create it."""
import os
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

out_dir = "results"
if not os.path.exists(out_dir):
    os.makedirs(out_dir)
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    torch.save(model.state_dict(), os.path.join(out_dir, "epoch_%d.pt" % epoch))
