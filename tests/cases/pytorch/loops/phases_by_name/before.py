"""The phases of an epoch are in a list of names, and the loaders are made one by one."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))

data = {"train": TensorDataset(x[:320], y[:320]), "val": TensorDataset(x[320:], y[320:])}
loaders = {
    "train": DataLoader(data["train"], batch_size=32, shuffle=True),
    "val": DataLoader(data["val"], batch_size=80),
}
phases = ["train", "val"]
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for phase in phases:
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
            running += loss.item() * len(labels)
            hits += (outputs.argmax(1) == labels).sum().item()
        print(phase, running / len(data[phase]), hits / len(data[phase]))
