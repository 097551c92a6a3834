"""A loop within the step that runs once per sample leaves the numbers around it alone: the epoch is printed as it is."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
num_epochs = 3
loader = DataLoader(TensorDataset(torch.randn(512, 20), torch.randint(0, 3, (512,))), batch_size=32, shuffle=True)
model = nn.Linear(20, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(num_epochs):
    names = {}
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        for label in y:
            names[label.item()] = True
        if step % 8 == 0:
            print("epoch %d of %d (%d %%)" % (epoch + 1, num_epochs, epoch / num_epochs * 100), loss.item())
