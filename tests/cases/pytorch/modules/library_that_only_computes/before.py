"""A library that is known to do nothing but compute need not be installed here; what sorts files sorts them."""
import os

import torch
from natsort import natsorted
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, folder):
        self.names = natsorted(os.listdir(folder))
        self.folder = folder

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        row = torch.load(os.path.join(self.folder, self.names[index]))
        return row[:-1], row[-1:]


class Trainer:
    def __init__(self, names):
        self.names = names
        self.model = nn.Linear(8, 1)

    def fit(self, loader):
        optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05)
        for epoch in range(2):
            for x, y in loader:
                optimizer.zero_grad()
                nn.functional.mse_loss(self.model(x), y).backward()
                optimizer.step()


rows = Rows("rows")
trainer = Trainer(natsorted(rows.names))
trainer.fit(DataLoader(rows, batch_size=32, shuffle=True))
