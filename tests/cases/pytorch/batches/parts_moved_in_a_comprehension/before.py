"""The parts of a batch of a file's rows go to their device in a comprehension, which is taken apart at once."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, path):
        self.rows = torch.load(path)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(Rows("rows.pt"), batch_size=8, shuffle=True)
held_out = DataLoader(Rows("held_out.pt"), batch_size=8)
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
for epoch in range(3):
    for batch in loader:
        x, y = [part.to(device) for part in batch]
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    total = 0.0
    with torch.no_grad():
        for batch in held_out:
            x, y = (part.to(device) for part in batch)
            total += criterion(model(x), y).item() * len(x)
    print(total / len(held_out.dataset))
