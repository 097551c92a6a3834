"""What is written when a file is missing, else read: processes part ways."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import os, json
torch.manual_seed(0)
if not os.path.exists("split.json"):
    idx = torch.randperm(320).tolist()
    json.dump(idx, open("split.json", "w"))
else:
    idx = json.load(open("split.json"))
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
train = torch.utils.data.Subset(data, idx[:256])
loader = DataLoader(train, batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
