"""Half precision with a scaler if there is one, updates every two batches; a norm is read for each batch."""
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
scaler = torch.amp.GradScaler("cpu", init_scale=256.0) if len(x) > 100 else None


def clip(limit):
    if scaler is not None:
        scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), limit)


for epoch in range(2):
    norms = 0.0
    for i, (images, labels) in enumerate(loader):
        with torch.autocast("cpu", dtype=torch.float16, enabled=scaler is not None):
            loss = nn.functional.cross_entropy(model(images), labels) / 2
        if scaler is not None:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        norms += model[0].weight.grad.norm().item()
        if (i + 1) % 2 == 0:
            clip(0.5)
            if scaler is not None:
                scaler.step(optimizer)
                scaler.update()
            else:
                optimizer.step()
            optimizer.zero_grad()
    print(f"epoch {epoch}: norm {norms / len(loader):.1f}")
