"""torch.zeros(2, batch_size, 64) makes the first hidden state: as many rows as a process has of the batch."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

batch_size = 20
loader = DataLoader(TensorDataset(torch.randn(400, 15, 8), torch.randn(400, 1)), batch_size=batch_size, shuffle=True)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 64, num_layers=2, batch_first=True)
        self.fc = nn.Linear(64, 1)

    def forward(self, x):
        h0 = torch.zeros(2, batch_size, 64)
        c0 = torch.zeros(2, batch_size, 64)
        out, _ = self.lstm(x, (h0, c0))
        return self.fc(out[:, -1])


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
