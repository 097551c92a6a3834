"""Random augmentation in worker processes, dropout, BatchNorm."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Noisy(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        x = self.x[index] + 0.1 * torch.randn(8)
        if torch.rand(1) < 0.5:
            x = x.flip(0)
        return x, self.y[index]


torch.manual_seed(5)
x = torch.randn(96, 8)
y = (x.sum(1) > 0).long()
loader = DataLoader(Noisy(x, y), batch_size=16, shuffle=True, num_workers=2)
net = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)

for epoch in range(2):
    total = 0.0
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = criterion(net(inputs), labels)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print('epoch', epoch, 'loss', total / len(loader))
