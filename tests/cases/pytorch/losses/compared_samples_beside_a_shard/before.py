"""What meets the samples that are compared is not known to have a row for each sample."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x, y = torch.randn(96, 6), torch.randint(0, 3, (96,))
loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, targets in loader:
        outputs = model(inputs)
        z = nn.functional.normalize(outputs, dim=1)
        same = (targets[:, None] == targets[None, :]).float()
        loss = ((z @ z.t() - same) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        counted = outputs.argmax(1)
        counted += 1
        right = counted == targets
    print(epoch, right.sum().item())
