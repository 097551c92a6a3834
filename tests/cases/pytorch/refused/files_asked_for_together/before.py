"""Whether all files are there is kept in a variable, and what is missing is written: others may read half of it."""

import os
import pickle

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class Data:
    def __init__(self, folder):
        self.files = [folder + "inputs.pkl", folder + "labels.pkl"]
        if self.is_there():
            self.inputs, self.labels = (pickle.load(open(file, "rb")) for file in self.files)
        else:
            self.inputs, self.labels = torch.rand(64, 3), torch.rand(64, 1)
            for file, content in zip(self.files, (self.inputs, self.labels)):
                with open(file, "wb") as output:
                    pickle.dump(content, output)

    def is_there(self):
        found = all(os.path.exists(file) for file in self.files)
        return found


torch.manual_seed(0)
data = Data("")
loader = DataLoader(TensorDataset(data.inputs, data.labels), batch_size=8, shuffle=True)
model = nn.Linear(3, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)
for features, targets in loader:
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(features), targets)
    loss.backward()
    optimizer.step()
