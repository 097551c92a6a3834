"""The discriminator is frozen while the generator is trained, in each step."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def set_requires_grad(model, trains):
    for parameter in model.parameters():
        parameter.requires_grad = trains


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(96, 6)), batch_size=12, shuffle=True)
generator = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 6))
discriminator = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
g_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
d_optimizer = torch.optim.Adam(discriminator.parameters(), lr=1e-3)
criterion = nn.BCEWithLogitsLoss()
for epoch in range(3):
    for (real,) in loader:
        fake = generator(torch.randn(real.size(0), 4))
        set_requires_grad(discriminator, False)
        g_optimizer.zero_grad()
        verdict = discriminator(fake)
        criterion(verdict, torch.ones_like(verdict)).backward()
        g_optimizer.step()
        set_requires_grad(discriminator, True)
        d_optimizer.zero_grad()
        on_real, on_fake = discriminator(real), discriminator(fake.detach())
        d_loss = criterion(on_real, torch.ones_like(on_real)) + criterion(on_fake, torch.zeros_like(on_fake))
        d_loss.backward()
        d_optimizer.step()
    print(epoch, d_loss.item())
