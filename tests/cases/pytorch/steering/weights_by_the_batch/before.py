"""Weights are changed by what a shard of the batch gives, by whatever way: all refused."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.0), nn.Linear(16, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
first = model[0].weight
named = dict(model.named_parameters())
for epoch in range(3):
    for xb, yb in loader:
        loss = nn.functional.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        shift = xb.mean(0).sum()
        model[0].bias.data -= 0.01 * shift
        with torch.no_grad():
            first += 0.01 * shift
            first[0] = shift
            for p in model.parameters():
                p.mul_(shift)
            for name, p in model.named_parameters():
                p.data = p.data * shift
            list(model.parameters())[0].copy_(shift)
            named["0.bias"].fill_(shift)
            model.get_parameter("0.bias").add_(shift)
            model.state_dict()["0.bias"].add_(shift)
            nn.init.constant_(model[3].bias, loss.item())
            for group in opt.param_groups:
                for p in group["params"]:
                    p.data.add_(shift)
