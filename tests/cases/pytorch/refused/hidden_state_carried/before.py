"""The hidden state of one batch is handed to the next (stateful language model)."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

tokens = torch.randint(0, 50, (64, 21))
loader = DataLoader(TensorDataset(tokens[:, :-1], tokens[:, 1:]), batch_size=16, drop_last=True)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 24)
        self.rnn = nn.GRU(24, 24, batch_first=True)
        self.out = nn.Linear(24, 50)

    def forward(self, x, h):
        y, h = self.rnn(self.embed(x), h)
        return self.out(y), h


model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    hidden = None
    for x, y in loader:
        if hidden is not None:
            hidden = hidden.detach()
        out, hidden = model(x, hidden)
        loss = nn.functional.cross_entropy(out.reshape(-1, 50), y.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
