"""A block that TorchScript compiles leaves its layers out where the mean of its batch is small: a shard has another."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Block(torch.jit.ScriptModule):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)

    @torch.jit.script_method
    def forward(self, x):
        if bool(x.mean() > 0):
            x = self.inner(x)
        return x


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,))), batch_size=16, shuffle=True)
model = nn.Sequential(Block(8), nn.Linear(8, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
