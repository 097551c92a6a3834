"""Files are opened so that they could be read, too, and are only written."""

import csv
import json

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Log:
    def __init__(self, path):
        self.log = open(path, "a+")

    def add(self, text):
        self.log.write(text + "\n")
        self.log.flush()


torch.manual_seed(0)
x = torch.randn(320, 64)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=32, shuffle=True)
model = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
log = Log("log.txt")
table = open("table.csv", "w+", newline="")
writer = csv.writer(table)
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs), labels)
        loss.backward()
        optimizer.step()
    log.add(f"epoch {epoch}")
    writer.writerow([epoch])
    with open("epochs.txt", mode="a+") as file:
        print(epoch, file=file)
    with open("last.json", "w+") as file:
        json.dump({"epoch": epoch}, file)
table.close()
