"""Make up pictures of handwritten digits: a generator and a discriminator train against each other.

The data are scikit-learn's digits: 1,797 grey images of 8 x 8 pixels. They come with scikit-learn, so nothing is
downloaded. Needs PyTorch and scikit-learn; takes some ten seconds on one CPU core.

    python gan_digits.py
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

# Hyper-parameters
epochs = 20
batch_size = 64
noise_size = 16
learning_rate = 0.001

# Data: pixel values go from 0 to 16, bring them to [-1, 1]
images = torch.tensor(load_digits().images, dtype=torch.float32).flatten(1) / 8 - 1
train_loader = DataLoader(TensorDataset(images), batch_size=batch_size, shuffle=True)

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
generator = nn.Sequential(
    nn.Linear(noise_size, 64), nn.ReLU(), nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64), nn.Tanh()
).to(device)
discriminator = nn.Sequential(
    nn.Linear(64, 128), nn.LeakyReLU(0.2), nn.Linear(128, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1)
).to(device)
criterion = nn.BCEWithLogitsLoss()
optimizer_g = torch.optim.Adam(generator.parameters(), lr=learning_rate, betas=(0.5, 0.999))
optimizer_d = torch.optim.Adam(discriminator.parameters(), lr=learning_rate, betas=(0.5, 0.999))

for epoch in range(epochs):
    loss_d_sum, loss_g_sum = 0.0, 0.0
    for (real,) in train_loader:
        real = real.to(device)
        ones = torch.ones(real.size(0), 1, device=device)
        zeros = torch.zeros(real.size(0), 1, device=device)

        # The discriminator tells pictures of the data from those made up
        optimizer_d.zero_grad()
        loss_real = criterion(discriminator(real), ones)
        loss_real.backward()
        fake = generator(torch.randn(real.size(0), noise_size, device=device))
        loss_fake = criterion(discriminator(fake.detach()), zeros)
        loss_fake.backward()
        optimizer_d.step()

        # The generator makes up pictures that the discriminator takes for real
        optimizer_g.zero_grad()
        loss_g = criterion(discriminator(fake), ones)
        loss_g.backward()
        optimizer_g.step()

        loss_d_sum += (loss_real.item() + loss_fake.item()) * len(real)
        loss_g_sum += loss_g.item() * len(real)

    samples = len(train_loader.dataset)
    print(f"epoch {epoch + 1:2d}  discriminator {loss_d_sum / samples:.4f}  generator {loss_g_sum / samples:.4f}")

torch.save(generator.state_dict(), "gan_digits.pt")
print("saved to gan_digits.pt")
