"""F.dropout without training= goes on after eval(): printed, and which of rank 0's weights are saved, but no more."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(6, 16)
        self.out = nn.Linear(16, 2)

    def forward(self, x):
        return self.out(F.dropout(F.relu(self.hidden(x)), 0.2))


torch.manual_seed(0)
X, Y = torch.randn(400, 6), torch.randint(0, 2, (400,))
X_val, y_val = X[320:], Y[320:]
loader = DataLoader(TensorDataset(X[:320], Y[:320]), batch_size=32, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
best = 0
for epoch in range(3):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(X_val).argmax(1) == y_val).float().mean().item()
    print(epoch, accuracy)
    if accuracy > best:
        best = accuracy
        torch.save(model.state_dict(), "best.pt")
