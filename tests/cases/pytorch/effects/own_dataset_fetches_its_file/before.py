"""A data set of the script's own that fetches its file where it is missing lets rank 0 do so by itself: no guard around the call, whose barrier only rank 0 would reach."""

import os
import urllib.request

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Marks(Dataset):
    url = "https://example.org/marks.pt"

    def __init__(self, root, train=True, download=False):
        path = os.path.join(root, "marks.pt")
        if download and not os.path.exists(path):
            os.makedirs(root, exist_ok=True)
            urllib.request.urlretrieve(self.url, path)
        rows = torch.load(path)
        self.rows = rows[:64] if train else rows[64:]

    def __getitem__(self, index):
        return self.rows[index, :4], (self.rows[index, 4] > 0).long()

    def __len__(self):
        return len(self.rows)


torch.manual_seed(0)
loader = DataLoader(Marks("data", train=True, download=True), batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
torch.save(model.state_dict(), "model.pt")
