"""All parts of a batch but the last go to the model: after a star, or cut out of the batch."""
import torch
from bookshelf import load_features
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Linear(8, 4)
        self.right = nn.Linear(8, 4)

    def forward(self, left, right):
        return self.left(left) + self.right(right)


torch.manual_seed(0)
loader = DataLoader(load_features("pairs"), batch_size=16, shuffle=True)
own = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 8), torch.rand(64, 4)), batch_size=16, shuffle=True)
model = Pair()
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        optimizer.zero_grad()
        loss = criterion(model(*batch[:-1]), batch[-1])
        loss.backward()
        optimizer.step()
    for batch in own:
        *pair, wanted = [part.float() for part in batch]
        optimizer.zero_grad()
        loss = criterion(model(*pair), wanted)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
