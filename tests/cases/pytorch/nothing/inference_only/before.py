"""Loads a model and evaluates it: nothing is trained, the file is left alone."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(10, 2)
model.load_state_dict(torch.load("model.pt", map_location="cpu"))
model.eval()
loader = DataLoader(TensorDataset(torch.randn(100, 10), torch.randint(0, 2, (100,))), batch_size=10)
correct = 0
with torch.no_grad():
    for x, y in loader:
        correct += (model(x).argmax(1) == y).sum().item()
print("accuracy", correct / len(loader.dataset))
