"""Each process would unfreeze the parameters by its own shard's loss."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,))), batch_size=32)
backbone = nn.Linear(10, 20)
model = nn.Sequential(backbone, nn.ReLU(), nn.Linear(20, 3))
backbone.requires_grad_(False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(6):
    for x, y in loader:
        optimizer.zero_grad()
        logits = model(x)
        loss = nn.functional.cross_entropy(logits, y)
        if logits.abs().max() > 3:
            backbone.requires_grad_(True)
        loss.backward()
        optimizer.step()
