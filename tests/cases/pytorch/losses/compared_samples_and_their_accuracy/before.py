"""What is counted beside a loss that compares samples is counted over the global batch, too."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x, y = torch.randn(96, 6), torch.randint(0, 3, (96,))
loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    hits, rounds = [], 0
    for inputs, targets in loader:
        outputs = model(inputs)
        z = nn.functional.normalize(outputs, dim=1)
        same = (targets[:, None] == targets[None, :]).float()
        loss = ((z @ z.t() - same) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits.append((outputs.argmax(1) == targets).sum().item())
        rounds += (outputs.detach().numpy().argmax(1) == targets.numpy()).sum()
    print(sum(hits) / len(loader.dataset), rounds)
