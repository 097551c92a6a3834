"""The phases of an epoch are told by a truth value."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))
train_loader = DataLoader(TensorDataset(x[:320], y[:320]), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=32)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for phase in (True, False):
        model.train(phase)
        running, hits = 0.0, 0
        for inputs, labels in train_loader if phase else test_loader:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase):
                outputs = model(inputs)
                loss = criterion(outputs, labels)
            if phase:
                loss.backward()
                optimizer.step()
            running += loss.item() * len(labels)
            hits += (outputs.argmax(1) == labels).sum().item()
        print(phase, running / (320 if phase else 80), hits / (320 if phase else 80))
