"""A regression on files of which one is broken."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Recordings(Dataset):
    def __init__(self, count):
        self.signals = torch.randn(count, 8)
        self.loudness = self.signals.abs().mean(dim=1, keepdim=True)
        self.signals[41, 3] = float("nan")

    def __len__(self):
        return len(self.signals)

    def __getitem__(self, index):
        signal = self.signals[index]
        if signal.isnan().any():
            raise ValueError(f"recording {index} is broken")
        return signal, self.loudness[index]


torch.manual_seed(0)
loader = DataLoader(Recordings(256), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(3):
    total = 0.0
    for signal, loudness in loader:
        optimizer.zero_grad()
        loss = criterion(model(signal), loudness)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: {total / len(loader):.4f}")
