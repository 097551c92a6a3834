"""Averages of batch averages over the phases of an epoch: the data that are not trained on are evaluated in full."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))

data = {"train": TensorDataset(x[:320], y[:320]), "val": TensorDataset(x[320:], y[320:])}
loaders = {name: DataLoader(data[name], batch_size=32, shuffle=name == "train") for name in ("train", "val")}
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for phase in ("train", "val"):
        model.train(phase == "train")
        running, hits = 0.0, 0
        for inputs, labels in loaders[phase]:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                outputs = model(inputs)
                loss = criterion(outputs, labels)
            if phase == "train":
                loss.backward()
                optimizer.step()
            running += loss.item()
            hits += (outputs.argmax(1) == labels).sum().item()
        print(phase, running / len(loaders[phase]), hits / len(data[phase]))
