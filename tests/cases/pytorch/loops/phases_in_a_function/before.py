"""Each phase of an epoch is a call of a function that is given its name."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))

data = {"train": TensorDataset(x[:320], y[:320]), "val": TensorDataset(x[320:], y[320:])}
loaders = {}
for name in ["train", "val"]:
    loaders[name] = DataLoader(data[name], batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def run(phase):
    model.train(phase == "train")
    running = 0.0
    for inputs, labels in loaders[phase]:
        with torch.set_grad_enabled(phase == "train"):
            loss = criterion(model(inputs), labels)
        if phase == "train":
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        running += loss.item() * len(labels)
    return running


for epoch in range(3):
    for phase in ["train", "val"]:
        print(epoch, phase, run(phase) / len(data[phase]))
