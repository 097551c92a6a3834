"""The script moves its batches itself where there is a GPU: DataParallel had nothing to move."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

GPU = torch.cuda.is_available()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(48, 5), torch.randint(3, (48,))), batch_size=12, shuffle=True)
net = nn.Linear(5, 3)
if GPU:
    net = nn.DataParallel(net.cuda())
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        if GPU:
            x = x.cuda()
            y = y.cuda()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
