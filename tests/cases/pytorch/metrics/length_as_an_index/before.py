"""Numbers that pick from the batch, or say how much goes with it, stay those of the share; those shown are added up."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
for epoch in range(2):
    for i, (xb, yb) in enumerate(loader):
        opt.zero_grad()
        p = model(xb)
        loss = crit(p, yb)
        loss.backward()
        opt.step()
        if i == 0:
            print("n", len(yb), "last", yb[len(yb) - 1].item(), [int(yb[j]) for j in range(yb.size(0))])
            print(xb.view(len(xb), -1).shape, xb[: len(xb) // 2].shape, torch.arange(len(yb)).sum().item())
            print(f"{(p.argmax(1) == yb).sum().item()}/{len(yb)}", yb.tolist()[:yb.size(0)])
            print(torch.zeros(len(yb)).shape, x[:len(yb)].shape)
