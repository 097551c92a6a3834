"""An attribute of the user called module is not DataParallel's."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.module = nn.Linear(10, 3)
    def forward(self, x):
        return self.module(x)
    def extra(self):
        return self.module.weight.sum().item()
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
test_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 3, (70,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
test_loader = DataLoader(test_data, batch_size=32)
model = nn.DataParallel(Net().to(device))
optimizer = torch.optim.SGD(model.module.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x.to(device)), y.to(device)).backward()
        optimizer.step()
    print(model.module.extra(), model.module.module.weight.shape)
torch.save(model.state_dict(), "p.pt")
model.module.load_state_dict(torch.load("q.pt"))
