"""A data set that makes samples says that it has ten billion of them: a list of their numbers would take all memory."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Sequences(Dataset):
    def __init__(self, length):
        self.length = length

    def __len__(self):
        return 9_999_999_999

    def __getitem__(self, index):
        digits = torch.rand(self.length)
        return digits, int(digits[0] > 0.5)


torch.manual_seed(0)
loader = DataLoader(Sequences(8), batch_size=16)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, (digits, label) in enumerate(loader):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(digits), label).backward()
    optimizer.step()
    if step == 30:
        break
torch.save(model.state_dict(), "model.pt")
