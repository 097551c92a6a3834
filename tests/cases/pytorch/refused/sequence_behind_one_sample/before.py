"""Windows of a text, each of them a batch of one sequence: its steps are no samples."""

import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
text = "to be, or not to be, that is the question " * 40
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
encode = lambda s: [stoi[c] for c in s]
data = torch.tensor(encode(text), dtype=torch.long)
V = len(chars)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, 16)
        self.rnn = nn.GRU(16, 16, batch_first=True)
        self.head = nn.Linear(16, V)

    def forward(self, idx):
        h = self.emb(idx)
        h, _ = self.rnn(h)
        return self.head(h)


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(50):
    i = int(torch.randint(0, len(data) - 33, (1,)))
    x, y = data[i : i + 32], data[i + 1 : i + 33]
    logits = model(x.unsqueeze(0))
    loss = F.cross_entropy(logits[0], y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
