"""A SequentialSampler of all samples is the order of a loader without one, also where the last batch is dropped."""
import torch
from torch import nn
from torch.utils.data import DataLoader, SequentialSampler, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(320, 8), torch.randint(0, 3, (320,))
held_out = TensorDataset(x[250:], y[250:])
train_loader = DataLoader(TensorDataset(x[:250], y[:250]), batch_size=16, shuffle=True)
test_loader = DataLoader(held_out, sampler=SequentialSampler(held_out), batch_size=16, drop_last=True)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
    correct = count = 0
    with torch.no_grad():
        for inputs, labels in test_loader:
            correct += (model(inputs).argmax(1) == labels).sum().item()
            count += len(labels)
    print(epoch, correct / count)
