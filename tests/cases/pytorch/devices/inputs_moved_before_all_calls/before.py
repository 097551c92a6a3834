"""All inputs of a model in DataParallel are moved where the batch is taken, or in the call: nothing is added."""
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
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x.view(-1, 5)), y)
        if epoch > 0:
            loss = loss + net(torch.zeros_like(x, device=device)).pow(2).mean()
        loss.backward()
        optimizer.step()
