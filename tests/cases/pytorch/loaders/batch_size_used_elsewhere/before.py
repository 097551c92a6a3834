"""batch_size also appears in a report of samples seen: the loader gets its share, the report stays global."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

batch_size = 50
num_epochs = 3
dataset = TensorDataset(torch.randn(2000, 12), torch.randint(0, 5, (2000,)))
train_loader = DataLoader(dataset, batch_size=batch_size, shuffle=True)
steps_per_epoch = len(dataset) // batch_size

model = nn.Sequential(nn.Linear(12, 30), nn.ReLU(), nn.Linear(30, 5))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

for epoch in range(num_epochs):
    for i, (x, y) in enumerate(train_loader):
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (i + 1) % 10 == 0:
            print("epoch %d step %d/%d, %d samples seen" % (epoch + 1, i + 1, steps_per_epoch, (i + 1) * batch_size))
