"""A class that derives from DataLoader splits its data by samplers; its arguments are in a dict of its own."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.dataloader import default_collate
from torch.utils.data.sampler import SubsetRandomSampler


class SplitLoader(DataLoader):
    def __init__(self, dataset, batch_size, shuffle, held_back, num_workers=0, collate_fn=default_collate):
        self.shuffle = shuffle
        self.n_samples = len(dataset)
        self.sampler, self.held_back = self.split(held_back)
        self.options = {
            "dataset": dataset,
            "batch_size": batch_size,
            "shuffle": self.shuffle,
            "collate_fn": collate_fn,
            "num_workers": num_workers,
        }
        super().__init__(sampler=self.sampler, **self.options)

    def split(self, part):
        if part == 0.0:
            return None, None
        order = np.random.RandomState(3).permutation(self.n_samples)
        size = int(self.n_samples * part)
        self.shuffle = False
        self.n_samples -= size
        return SubsetRandomSampler(order[size:]), SubsetRandomSampler(order[:size])

    def rest(self):
        return None if self.held_back is None else DataLoader(sampler=self.held_back, **self.options)


class PointLoader(SplitLoader):
    def __init__(self, batch_size, shuffle=True, held_back=0.0):
        x = torch.randn(80, 4)
        self.dataset = TensorDataset(x, (x @ torch.randn(4, 3)).argmax(1))
        super().__init__(self.dataset, batch_size, shuffle, held_back)


def evaluate(model, loader):
    model.eval()
    correct, total = 0, 0
    with torch.no_grad():
        for inputs, labels in loader:
            correct += (model(inputs).argmax(1) == labels).sum().item()
            total += len(labels)
    return correct / total


torch.manual_seed(0)
train_loader = PointLoader(8, held_back=0.2)
valid_loader = train_loader.rest()
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    model.train()
    total = 0.0
    for step, (inputs, labels) in enumerate(train_loader):
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(train_loader), evaluate(model, valid_loader), train_loader.n_samples)
