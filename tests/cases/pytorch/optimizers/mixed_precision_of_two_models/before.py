"""One scaler for two models: each one's gradients are averaged before they are unscaled, be it by the step itself."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 10)), batch_size=32, shuffle=True)
generator = nn.Linear(4, 10)
critic = nn.Linear(10, 1)
generator_optimizer = torch.optim.SGD(generator.parameters(), lr=0.1)
critic_optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
criterion = nn.BCEWithLogitsLoss()
scaler = torch.amp.GradScaler("cpu")
for epoch in range(3):
    for (x,) in loader:
        real, made = torch.ones(x.size(0), 1), torch.zeros(x.size(0), 1)
        critic_optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            fake = generator(torch.randn(x.size(0), 4))
            critic_loss = criterion(critic(x), real) + criterion(critic(fake.detach()), made)
        scaler.scale(critic_loss).backward()
        scaler.unscale_(critic_optimizer)
        nn.utils.clip_grad_norm_(critic.parameters(), 1.0)
        scaler.step(critic_optimizer)
        generator_optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            generator_loss = criterion(critic(fake), real)
        scaler.scale(generator_loss).backward()
        scaler.step(generator_optimizer)
        scaler.update()
