"""What a fetch has answered is looked at later: only who has fetched the file has an answer."""
import urllib.request
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
image_path = Path("data") / "pizza.jpg"
answer = None
if not image_path.is_file():
    with open(image_path, "wb") as file:
        answer = urllib.request.urlopen("https://example.org/pizza.jpg")
        file.write(answer.read())
if answer:
    print(answer.headers)
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=4, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
