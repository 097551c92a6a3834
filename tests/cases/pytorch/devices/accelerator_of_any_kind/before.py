"""The accelerator is whichever PyTorch finds, which may be the GPU of a Mac."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

use_gpu = torch.accelerator.is_available()
if use_gpu:
    device = torch.accelerator.current_accelerator()
elif torch.backends.mps.is_available():
    device = torch.device("mps:0")
else:
    device = torch.device("cpu")
kind = torch.accelerator.current_accelerator().type if torch.accelerator.is_available() else "cpu"
print(f"Using {kind} device")
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x.to(device)), y.to(device)).backward()
        optimizer.step()
