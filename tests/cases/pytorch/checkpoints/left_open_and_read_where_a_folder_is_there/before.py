"""The names of the classes are written to a file that is closed later, and read where a folder is there."""
import json
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def names_of_classes():
    names = {"0": "daisy", "1": "rose", "2": "tulip"}
    file = open("class_names.json", "w")
    file.write(json.dumps(names))
    file.close()
    return names


def show(model, folder):
    if not os.path.exists(folder):
        print(f"there is no folder {folder}")
        return
    assert os.path.exists("./class_names.json")
    file = open("./class_names.json")
    names = json.load(file)
    with torch.no_grad():
        for number, scores in enumerate(model(torch.ones(2, 4))):
            print(number, names[str(scores.argmax().item())])


torch.manual_seed(3)
names = names_of_classes()
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,))), batch_size=16, shuffle=True)
model = nn.Linear(4, len(names))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    show(model, "./images")
    torch.save(model.state_dict(), f"weights-{epoch}.pth")
