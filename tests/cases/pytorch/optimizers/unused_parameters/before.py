"""One branch of the model takes no part in the step: DDP must be told to look for unused parameters."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class TwoHeads(nn.Module):
    def __init__(self, use_aux=False):
        super().__init__()
        self.body = nn.Linear(10, 20)
        self.head = nn.Linear(20, 2)
        self.aux = nn.Linear(20, 5)
        self.use_aux = use_aux

    def forward(self, x):
        h = torch.relu(self.body(x))
        if self.use_aux:
            return self.head(h), self.aux(h)
        return self.head(h)


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(300, 10), torch.randint(0, 2, (300,))), batch_size=30, shuffle=True)
model = TwoHeads()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
