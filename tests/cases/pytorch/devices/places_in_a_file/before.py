"""The keys of map_location are places as a file has them, and stay; its values are devices of this run."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
net = nn.Linear(5, 3)
net.load_state_dict(torch.load("start.pt", map_location={"cuda:0": "cpu"}))
net.to(device)
other = nn.Linear(5, 3).to(device)
other.load_state_dict(torch.load("other.pt", map_location={"cuda:1": "cuda:0"}))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
loader = DataLoader(TensorDataset(torch.randn(48, 5), torch.randint(3, (48,))), batch_size=12, shuffle=True)
for epoch in range(2):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x) + other(x).detach(), y)
        loss.backward()
        optimizer.step()
