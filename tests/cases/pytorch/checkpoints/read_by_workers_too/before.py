"""A function reads what rank 0 has written, and what workers ask for: all wait where it is written."""
import os
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

def read(path):
    if os.path.exists(path):
        return torch.load(path)
    return torch.zeros(64)

class Rows(Dataset):
    def __len__(self):
        return 320
    def __getitem__(self, i):
        return read(f"rows/{i}.pt"), i % 2

torch.manual_seed(0)
torch.save(torch.zeros(64), "mean.pt")
mean = read("mean.pt")
loader = DataLoader(Rows(), batch_size=32, shuffle=True, num_workers=2)
model = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(8):
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs - mean), labels).backward()
        optimizer.step()
    torch.save(model.state_dict(), "a.pt")
