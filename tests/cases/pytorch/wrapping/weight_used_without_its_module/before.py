"""The weight of a module is used without calling it: DDP does not see its gradients."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] > 0).long()
train_set, test_set = TensorDataset(x[:320], y[:320]), TensorDataset(x[320:], y[320:])
loader = DataLoader(train_set, batch_size=32, shuffle=True)
test_loader = DataLoader(test_set, batch_size=20)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
classes = nn.Embedding(2, 16)
opt = torch.optim.SGD([*model.parameters(), *classes.parameters()], lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    total = 0.0
    for xb, yb in loader:
        loss = criterion(model(xb) @ classes.weight.t(), yb)
        opt.zero_grad(); loss.backward(); opt.step()
        total += loss.item()
    print(epoch, total / len(loader))
torch.save(classes.state_dict(), "m.pt")
