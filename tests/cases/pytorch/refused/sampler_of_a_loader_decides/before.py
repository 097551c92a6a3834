"""Whether the loader shuffles is told by its sampler, which is another one in each process."""
import torch
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(320, 6), torch.randint(0, 2, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)

for epoch in range(2):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if isinstance(loader.sampler, RandomSampler):
        scheduler.step()
