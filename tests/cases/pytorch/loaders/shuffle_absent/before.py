"""No shuffle: the sampler must not shuffle either, and the order stays that of the file."""
import torch
from torch import nn
from torch.utils.data import TensorDataset, DataLoader

torch.manual_seed(0)
x = torch.linspace(-1, 1, 512).unsqueeze(1)
y = x.pow(3) + 0.1 * torch.randn(x.size())

dataset = TensorDataset(x, y)
loader = DataLoader(dataset, batch_size=32)

net = nn.Sequential(nn.Linear(1, 50), nn.Tanh(), nn.Linear(50, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
loss_fn = nn.MSELoss()

for epoch in range(20):
    for bx, by in loader:
        loss = loss_fn(net(bx), by)
        opt.zero_grad()
        loss.backward()
        opt.step()

torch.save(net.state_dict(), "cubic.pt")
