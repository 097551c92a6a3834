"""The phase without training computes gradients as well, which DDP would wait for: nothing is wrapped."""

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
        hits = 0
        for inputs, labels in loaders[phase]:
            outputs = model(inputs)
            loss = criterion(outputs, labels)
            if phase == "train":
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            hits += (outputs.argmax(1) == labels).sum().item()
        print(phase, hits / len(data[phase]))
