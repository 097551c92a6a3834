"""A class derived from DataLoader splits its data by samplers, and takes its arguments from a dict of its own."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset
from torch.utils.data.dataloader import default_collate


class SplitLoader(DataLoader):
    """Keeps a part of the data for validation."""

    def __init__(self, dataset, batch_size, shuffle, validation_split, num_workers, collate_fn=default_collate):
        self.validation_split = validation_split
        self.shuffle = shuffle
        self.batch_idx = 0
        self.n_samples = len(dataset)
        self.sampler, self.valid_sampler = self._split(self.validation_split)
        self.init_kwargs = {
            "dataset": dataset,
            "batch_size": batch_size,
            "shuffle": self.shuffle,
            "collate_fn": collate_fn,
            "num_workers": num_workers,
        }
        super().__init__(sampler=self.sampler, **self.init_kwargs)

    def _split(self, split):
        if split == 0.0:
            return None, None
        order = np.arange(self.n_samples)
        np.random.seed(0)
        np.random.shuffle(order)
        held_back = int(self.n_samples * split)
        valid, train = order[:held_back], np.delete(order, np.arange(0, held_back))
        self.shuffle = False
        self.n_samples = len(train)
        return SubsetRandomSampler(train), SubsetRandomSampler(valid)

    def split_validation(self):
        if self.valid_sampler is None:
            return None
        return DataLoader(sampler=self.valid_sampler, **self.init_kwargs)


class PointLoader(SplitLoader):
    def __init__(self, path, batch_size, shuffle=True, validation_split=0.0, num_workers=0):
        self.path = path
        self.dataset = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
        super().__init__(self.dataset, batch_size, shuffle, validation_split, num_workers)


torch.manual_seed(0)
train_loader = PointLoader("x", 8, validation_split=0.25)
valid_loader = train_loader.split_validation()
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    model.train()
    total = 0.0
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
        total += loss.item()
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in valid_loader:
            correct += (model(x).argmax(1) == y).sum().item()
    print(epoch, total / len(train_loader), correct / len(valid_loader.sampler), train_loader.n_samples)
