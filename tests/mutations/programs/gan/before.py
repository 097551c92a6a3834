"""Two models, two optimizers, noise with a row for each sample."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(6)
data = TensorDataset(torch.randn(64, 4) * 0.3 + 2)
loader = DataLoader(data, batch_size=16, shuffle=True)
generator = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 4))
critic = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer_g = torch.optim.Adam(generator.parameters(), lr=2e-3, betas=(0.5, 0.999))
optimizer_d = torch.optim.Adam(critic.parameters(), lr=2e-3, betas=(0.5, 0.999))

for epoch in range(2):
    total_d = total_g = 0.0
    for real, in loader:
        ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        noise = torch.randn(len(real), 3)
        fake = generator(noise)

        optimizer_d.zero_grad()
        outputs = critic(torch.cat([real, fake.detach()]))
        loss_d = criterion(outputs, torch.cat([ones, zeros]))
        loss_d.backward()
        optimizer_d.step()

        optimizer_g.zero_grad()
        loss_g = criterion(critic(fake), ones)
        loss_g.backward()
        optimizer_g.step()
        total_d += loss_d.item()
        total_g += loss_g.item()
    print(f'epoch {epoch}: critic {total_d / len(loader):.5f}, generator {total_g / len(loader):.5f}')
