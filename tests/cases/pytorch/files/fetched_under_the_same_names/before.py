"""Files are fetched where they are missing, with the same names for what is asked: each sets them anew."""
import urllib.request
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data_path = Path("data")
image_path = data_path / "pizza.jpg"
if image_path.is_file():
    print("there")
else:
    print("fetching")
    with open(image_path, "wb") as file:
        answer = urllib.request.urlopen("https://example.org/pizza.jpg")
        file.write(answer.read())
other_path = data_path / "salad.jpg"
if not other_path.is_file():
    with open(other_path, "wb") as file:
        answer = urllib.request.urlopen("https://example.org/salad.jpg")
        file.write(answer.read())
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
