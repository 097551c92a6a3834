"""Noise and labels are made with the batch size; noise that is made before training only makes pictures."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
batch_size = 12
loader = DataLoader(TensorDataset(torch.randn(96, 6)), batch_size=batch_size, shuffle=True, drop_last=True)
generator = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 6))
discriminator = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
g_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
d_optimizer = torch.optim.Adam(discriminator.parameters(), lr=1e-3)
criterion = nn.BCEWithLogitsLoss()
fixed_noise = torch.randn(batch_size, 4)
for epoch in range(3):
    for (real,) in loader:
        real_labels = torch.ones(batch_size, 1)
        fake_labels = torch.zeros((batch_size, 1))
        fake = generator(torch.randn(batch_size, 4))
        d_optimizer.zero_grad()
        d_loss = criterion(discriminator(real), real_labels) + criterion(discriminator(fake.detach()), fake_labels)
        d_loss.backward()
        d_optimizer.step()
        g_optimizer.zero_grad()
        g_loss = criterion(discriminator(fake), real_labels)
        g_loss.backward()
        g_optimizer.step()
    with torch.no_grad():
        picture = generator(fixed_noise)
    torch.save(picture, f"epoch{epoch}.pt")
