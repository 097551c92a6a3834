"""Blocks that TorchScript compiles, of which one is kept in each step and one is left out, by what they draw."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Block(torch.jit.ScriptModule):
    def __init__(self, kept, width):
        super().__init__()
        self.kept = kept
        self.inner = nn.Sequential(nn.Linear(width, width), nn.Tanh())
        self.around = nn.Sequential()

    def is_kept(self):
        drawn = torch.bernoulli(torch.tensor(self.kept).float())
        return torch.equal(drawn, torch.tensor(1).float().to(drawn.device))

    @torch.jit.script_method
    def forward(self, x):
        if self.training:
            if self.is_kept():
                x = self.inner(x) + self.around(x)
            else:
                x = self.around(x)
        else:
            x = self.inner(x) * self.kept + self.around(x)
        return x


torch.manual_seed(5)
data = TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,)))
loader = DataLoader(data, batch_size=16, shuffle=True)
blocks = [Block(kept, 8) for kept in (1.0, 0.0, 1.0)]
model = nn.Sequential(*blocks, nn.Linear(8, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-3)
for epoch in range(2):
    model.train()
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch} loss {total / len(loader):.6f}")
