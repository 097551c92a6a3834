"""Eight layers of a Transformer on made-up tokens: 6.4 million parameters."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(200, 256)
        layer = nn.TransformerEncoderLayer(256, 4, 1024, dropout=0.0, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 8)
        self.head = nn.Linear(256, 200)

    def forward(self, tokens):
        return self.head(self.layers(self.embedding(tokens)))


torch.manual_seed(0)
x = torch.randint(0, 200, (512, 33))
loader = DataLoader(TensorDataset(x), batch_size=16, shuffle=True)
model = Model()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.0001)
for _ in range(200):
    for (tokens,) in loader:
        optimizer.zero_grad()
        said = model(tokens[:, :-1])
        loss = nn.functional.cross_entropy(said.reshape(-1, 200), tokens[:, 1:].reshape(-1))
        loss.backward()
        optimizer.step()
