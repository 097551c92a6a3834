"""The last group of an epoch may be incomplete: all processes have as many batches, so they step together."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

ACCUMULATE = 4
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 4), torch.randint(0, 3, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 5)
for epoch in range(3):
    running = 0.0
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x), y)
        (loss / ACCUMULATE).backward()
        running += loss.item()
        if (i + 1) % ACCUMULATE == 0 or i + 1 == len(loader):
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
    print(epoch, running / len(loader))
