"""A whole model is loaded under another name and called: it goes to each process's own GPU; weights go to the CPU."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=32, shuffle=True)
model = nn.Linear(6, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs.cuda()), labels.cuda()).backward()
        optimizer.step()
torch.save(model, "model.pt")
torch.save(model.state_dict(), "weights.pt")
kept = torch.load("model.pt", weights_only=False)
print(kept(x.cuda()).sum().item())
tested = torch.load("model.pt", weights_only=False).eval()
weights = torch.load("weights.pt")
model.load_state_dict(weights)
print(sorted(weights), tested)
