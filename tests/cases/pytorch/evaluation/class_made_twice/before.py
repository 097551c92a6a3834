"""A teacher and a student of one class: each follows its own eval() and train(), and so do the layers in it."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.hidden = nn.Linear(8, width)
        self.drop = nn.Dropout(0.5)
        self.out = nn.Linear(width, 2)

    def forward(self, x):
        return self.out(self.drop(F.relu(self.hidden(x))))


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,))), batch_size=64, shuffle=True)
held_out = DataLoader(TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,))), batch_size=50)
teacher = Net(64)
teacher.load_state_dict(torch.load("teacher.pt"))
teacher.eval()
model = Net(16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
for epoch in range(2):
    model.train()
    for x, y in loader:
        with torch.no_grad():
            soft = teacher(x)
        out = model(x)
        loss = F.cross_entropy(out, y) + F.mse_loss(out, soft)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    held = 0.0
    with torch.no_grad():
        for x, y in held_out:
            held += F.cross_entropy(model(x), y, reduction="sum").item()
    plateau.step(held / 99)
    print(epoch, held / 99)
