"""The model's attributes and methods are used during training: they are asked of the bare model, not of the wrapper."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(6, 12)
        self.out = nn.Linear(12, 1)

    def forward(self, x):
        return self.out(torch.tanh(self.hidden(x)))

    def weight_norm(self):
        return self.hidden.weight.norm().item()


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(300, 6), torch.randn(300, 1)), batch_size=30, shuffle=True)
model = Net()
print(model)
print("parameters:", sum(p.numel() for p in model.parameters() if p.requires_grad))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    print(epoch, model.weight_norm(), model.out.bias.item())
