"""A model of blocks that TorchScript compiles, which leave their layers out by chance."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Block(torch.jit.ScriptModule):
    def __init__(self, kept, width):
        super().__init__()
        self.kept = kept
        self.inner = nn.Sequential(nn.Linear(width, width), nn.ReLU())
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


class Net(nn.Module):
    def __init__(self, block, kept):
        super().__init__()
        self.body = self.blocks_of(block, kept)
        self.head = nn.Linear(8, 3)

    def blocks_of(self, block, kept):
        return nn.Sequential(*[block(each, 8) for each in kept])

    def forward(self, x):
        return self.head(self.body(x))


torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
loader = DataLoader(data, batch_size=16, shuffle=True)
model = Net(Block, (0.9, 0.5))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    print(epoch)
