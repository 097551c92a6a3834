"""An epoch whose last batch has to be filled up, and what training had right in it."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(33, 10)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)

for epoch in range(8):
    total, correct = 0.0, 0
    for a, b in loader:
        output = model(a)
        loss = nn.functional.cross_entropy(output, b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(a)
        correct += (output.argmax(1) == b).sum().item()
    print(f"epoch {epoch}: loss {total / len(loader.dataset):.5f}, accuracy {correct / len(loader.dataset):.2%}")
