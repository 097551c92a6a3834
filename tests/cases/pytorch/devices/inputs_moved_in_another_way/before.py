"""What is moved behind the call, to the CPU or to another type only, is left to DataParallel."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
net = nn.DataParallel(nn.Linear(5, 3)).to(device)
loader = DataLoader(TensorDataset(torch.randn(48, 5), torch.randint(3, (48,))), batch_size=12, shuffle=True)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        x = x.to(torch.float32)
        if epoch > 0:
            x = x.to(device)
        scores = net(x)
        x, y = x.to(device), y.to(device)
        loss = nn.functional.cross_entropy(scores, y)
        loss.backward()
        optimizer.step()
