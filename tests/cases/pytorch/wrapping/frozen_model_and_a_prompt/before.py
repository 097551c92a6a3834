"""Only a prompt is trained: the frozen model is not wrapped, and the gradients of the prompt are averaged."""
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
backbone = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 2))
for p in backbone.parameters():
    p.requires_grad_(False)
prompt = nn.Parameter(torch.zeros(6))
opt = torch.optim.Adam([prompt], lr=0.05)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    total = 0.0
    for xb, yb in loader:
        out = backbone(torch.cat([xb, prompt.expand(len(xb), -1)], dim=1))
        loss = criterion(out, yb)
        opt.zero_grad(); loss.backward(); opt.step()
        total += loss.item()
    print(epoch, total / len(loader), prompt.sum().item())
torch.save(prompt, "prompt.pt")
