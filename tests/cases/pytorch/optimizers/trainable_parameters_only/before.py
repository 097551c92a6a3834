"""filter(lambda p: p.requires_grad, model.parameters()) stays; the lambda's parameter is nothing of ours."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randint(0, 40, (300, 5)), torch.randint(0, 2, (300,))), batch_size=30, shuffle=True)


class TextNet(nn.Module):
    def __init__(self, vectors):
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(vectors, freeze=True)
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc(self.embedding(x).mean(1))


torch.manual_seed(5)
model = TextNet(torch.randn(40, 8))
optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=1e-3)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
