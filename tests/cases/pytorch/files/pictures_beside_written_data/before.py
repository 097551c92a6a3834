"""Pictures are read on a path that depends on files; rank 0 has written weights and a table only, and no picture."""

import json
import os

import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision.transforms.functional import to_tensor

torch.manual_seed(0)
x = torch.randn(320, 64)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=32, shuffle=True)
model = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

with open("classes.json", "w") as file:
    file.write(json.dumps({"0": "low", "1": "high"}))


def predictions(folder):
    """What the model says of the pictures that a list in the folder names."""
    found = []
    if not os.path.exists(os.path.join(folder, "names.txt")):
        return found
    with open(os.path.join(folder, "names.txt")) as names:
        for line in names.readlines():
            path = os.path.join(folder, line.strip())
            if os.path.exists(path):
                found.append([path, line])
    pictures = [to_tensor(Image.open(path).convert("L")) for path, _ in found]
    with torch.no_grad():
        return [int(model(picture.view(1, -1)).argmax()) for picture in pictures]


for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
    torch.save(model.state_dict(), "weights-{}.pth".format(epoch))
    print(predictions("pictures"))
