"""An index of four dimensions stands beside numbers of samples of three: theirs is no longer the first."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(40, 8, 16), torch.randn(40)), batch_size=8, shuffle=True)


class Picked(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(16, 16)

    def forward(self, x):
        B, L, D = x.shape
        scores = self.query(x)
        top = scores.topk(3)[1]
        chosen = scores[torch.arange(B)[:, None, None], torch.arange(L)[None, :, None, None], top]
        return chosen.sum(-1).sum(-1).sum(-1)


model = Picked()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
