"""Every torch.load without a place loads to the CPU, also in code that nothing calls; a place that is given stays."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(4, 1).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)


class Store:
    def load(self, path):
        return torch.load(path)


def unused(path):
    return torch.load(path)


model.load_state_dict(torch.load("a.pt"))
opt.load_state_dict(torch.load("b.pt", map_location=device))
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=8, shuffle=True)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
        opt.zero_grad()
        loss.backward()
        opt.step()
