"""The run's directory is named after the time, which differs between ranks; rank 0 alone makes and uses it."""
import datetime
import shutil
from pathlib import Path
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

stamp = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
run_dir = Path("runs") / stamp
run_dir.mkdir(parents=True)
shutil.copy(__file__, run_dir / "script.py")
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
torch.save(model.state_dict(), run_dir / "model.pt")
