"""A recurrent network begins with one learned state, which is expanded to all samples by a tuple."""

import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Linear(8 + 6, 6)

    def forward(self, xt, hprev):
        xh = torch.cat([xt, hprev], dim=1)
        return F.tanh(self.w(xh))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.start = nn.Parameter(torch.zeros(1, 6))
        self.e = nn.Embedding(9, 8)
        self.cell = Cell()
        self.fc = nn.Linear(6, 9)

    def forward(self, idx, targets):
        b, t = idx.size()
        emb = self.e(idx)
        hprev = self.start.expand((b, -1))
        hiddens = []
        for i in range(t):
            xt = emb[:, i, :]
            ht = self.cell(xt, hprev)
            hprev = ht
            hiddens.append(ht)
        hidden = torch.stack(hiddens, 1)
        logits = self.fc(hidden)
        return F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)


torch.manual_seed(0)
loader = DataLoader(
    TensorDataset(torch.randint(0, 9, (64, 7)), torch.randint(0, 9, (64, 7))), batch_size=8, shuffle=True
)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    loss = model(x, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
