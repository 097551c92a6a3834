"""A state has as many layers as a batch has samples, by chance; its rows are those of the batch, by their number."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(40, 5, 3), torch.randn(40, 1)), batch_size=2, shuffle=True)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 8, num_layers=2, batch_first=True)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        state = torch.zeros(2, x.size(0), 8)
        output, _ = self.rnn(x, state)
        return self.out(output[:, -1])


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
