"""What is added under a name that a loop gives may be any item of the dict: all of them are sums over the batches."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(512, 20), torch.randint(0, 3, (512,))), batch_size=32, shuffle=True)
model = nn.Linear(20, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    sums = {"loss": 0.0, "size": 0.0}
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        for name, value in {"loss": loss.item(), "size": output.abs().mean().item()}.items():
            sums[name] += value
    print(sums["loss"] / len(loader), sums["size"] / len(loader))
