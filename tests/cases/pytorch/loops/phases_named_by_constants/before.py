"""Both phases go through one loop, and constants have their names."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

TRAIN, VALID = "train", "valid"
data = {phase: TensorDataset(torch.randn(64, 4), torch.randn(64, 1)) for phase in [TRAIN, VALID]}
loaders = {phase: DataLoader(data[phase], batch_size=8, shuffle=phase == TRAIN) for phase in [TRAIN, VALID]}
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for phase in [TRAIN, VALID]:
        if phase == TRAIN:
            model.train()
        else:
            model.eval()
        total = 0.0
        for x, y in loaders[phase]:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == TRAIN):
                loss = nn.functional.mse_loss(model(x), y)
                if phase == TRAIN:
                    loss.backward()
                    optimizer.step()
            total += loss.item() * len(x)
        print(phase, total / len(data[phase]))
