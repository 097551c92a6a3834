"""The loss of the batch before is shown, which is none at the first batch; after the pass there is one."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(256, 8), torch.randint(0, 3, (256,))
train_loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    last = None
    for i, (inputs, labels) in enumerate(train_loader):
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
        if i % 4 == 0:
            print(epoch, i, last, loss.item())
        last = loss.item()
    print(epoch, last)
