"""Labels of the batch size, made in front of each epoch, and anew for a last batch that is shorter."""
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

batch_size = 32
torch.manual_seed(0)
digits = torch.tensor(load_digits().data, dtype=torch.float32)[:312] / 16
loader = DataLoader(TensorDataset(digits), batch_size=batch_size, shuffle=True)
model = nn.Sequential(nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 1), nn.Sigmoid())
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
criterion = nn.BCELoss()
for epoch in range(2):
    real = torch.ones(batch_size, 1)
    turned = torch.zeros(batch_size, 1)
    total = 0.0
    for (x,) in loader:
        mini_batch = x.size()[0]
        if mini_batch != batch_size:
            real = torch.ones(mini_batch, 1)
            turned = torch.zeros(mini_batch, 1)
        optimizer.zero_grad()
        loss = criterion(model(x), real * 0.9) + criterion(model(x.flip(1)), turned)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: loss {total / len(loader):.4f}")
