"""A penalty is added to gradients, they are clamped by hand and their norm is summed up; one is read after the step."""
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
digits = load_digits()
x = torch.tensor(digits.data, dtype=torch.float32)[:768] / 16
y = torch.tensor(digits.target)[:768]
loader = DataLoader(TensorDataset(x, y), batch_size=64, shuffle=True)
model = nn.Sequential(nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)


def add_penalty(strength):
    for layer in model.modules():
        if isinstance(layer, nn.Linear):
            layer.weight.grad.data.add_(strength * torch.sign(layer.weight.data))


for epoch in range(2):
    norms = 0.0
    for images, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        add_penalty(1e-3)
        for p in model.parameters():
            p.grad.data.clamp_(-0.02, 0.02)
        norms += sum(p.grad.norm().item() ** 2 for p in model.parameters()) ** 0.5
        optimizer.step()
        last = model[2].bias.grad.abs().max().item()
    print(f"epoch {epoch}: norm {norms / len(loader):.5f}, largest of the last bias {last:.5f}")
