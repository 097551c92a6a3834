"""What a library gives that is not installed here has names that parts of others have too: those are theirs."""
import matplotlib.pyplot as plt
import torch
import torch.nn as nn
import torch.utils.data
from quotes import TimeSeries

data = TimeSeries(key="none").daily("IBM")
xticks = [row.day for row in data]
plt.xticks(range(len(xticks)), xticks)


class Days(torch.utils.data.Dataset):
    def __len__(self):
        return 640

    def __getitem__(self, index):
        x = torch.full((10,), float(index))
        return x, x[:1]


loader = torch.utils.data.DataLoader(Days(), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
