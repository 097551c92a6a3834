"""An optimizer and a warm-up of libraries around PyTorch: one steps by the gradients, the other sets its rate."""
import adabound
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader, TensorDataset
from torch_optimizer import RAdam
from warmup_scheduler import GradualWarmupScheduler

data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
loader = DataLoader(data, batch_size=32, shuffle=True)
generator, critic = nn.Linear(4, 10), nn.Linear(10, 1)
optimizer_g = adabound.AdaBound(generator.parameters(), lr=1e-3, final_lr=0.1)
optimizer_c = RAdam(critic.parameters(), lr=1e-3)
after = CosineAnnealingLR(optimizer_g, T_max=10)
warmup = GradualWarmupScheduler(optimizer_g, multiplier=1.0, total_epoch=2, after_scheduler=after)
for epoch in range(12):
    for x, y in loader:
        fake = generator(torch.randn(len(x), 4))
        optimizer_c.zero_grad()
        (critic(fake.detach()).mean() - critic(x).mean()).backward()
        optimizer_c.step()
        optimizer_g.zero_grad()
        (-critic(fake).mean()).backward()
        optimizer_g.step()
    warmup.step()
