"""DataParallel moves what is given by name, too, which a hook on the model does not: that is said."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(5, 3)

    def forward(self, points):
        return self.layer(points)


net = nn.DataParallel(Net()).to(device)
loader = DataLoader(TensorDataset(torch.randn(48, 5), torch.randint(3, (48,))), batch_size=12, shuffle=True)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        scores = net(points=x)
        loss = nn.functional.cross_entropy(scores, y.to(device))
        loss.backward()
        optimizer.step()
