"""Loaders that split their data."""
import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.sampler import SubsetRandomSampler


class SplitLoader(DataLoader):
    def __init__(self, dataset, batch_size, held_back):
        order = np.random.RandomState(0).permutation(len(dataset))
        size = int(len(dataset) * held_back)
        self.n_samples = len(dataset) - size
        self.held_back = SubsetRandomSampler(order[:size])
        self.options = {"dataset": dataset, "batch_size": batch_size}
        super().__init__(sampler=SubsetRandomSampler(order[size:]), **self.options)

    def rest(self):
        return DataLoader(sampler=self.held_back, **self.options)


class Points(SplitLoader):
    def __init__(self, batch_size=8, held_back=0.25):
        x = torch.randn(64, 4)
        super().__init__(TensorDataset(x, (x.sum(1) > 0).long()), batch_size, held_back)
