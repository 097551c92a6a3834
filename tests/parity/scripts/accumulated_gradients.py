"""Gradients of three batches are added up, of the last ones of an epoch fewer."""
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

accumulate = 3
torch.manual_seed(0)
digits = load_digits()
x = torch.tensor(digits.data, dtype=torch.float32)[:640] / 16
y = torch.tensor(digits.target)[:640]
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
for epoch in range(2):
    total = 0.0
    for i, (images, labels) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(images), labels) / accumulate
        loss.backward()
        total += loss.item()
        if (i + 1) % accumulate == 0 or i + 1 == len(loader):
            norm = nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            optimizer.zero_grad()
    print(f"epoch {epoch}: loss {total / len(loader) * accumulate:.4f}, last norm {norm:.4f}")
