"""Loaders that split their data."""
import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.sampler import SubsetRandomSampler
import torch.distributed as dist
from torch.utils.data import Sampler


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        drawn = [list(self.sampler)]
        dist.broadcast_object_list(drawn)
        indices = drawn[0]
        end = dist.get_rank() + len(indices)
        return (indices[i % len(indices)] for i in range(dist.get_rank(), end, dist.get_world_size()))

    def __len__(self):
        return (len(self.sampler) + dist.get_world_size() - 1) // dist.get_world_size()


class SplitLoader(DataLoader):
    def __init__(self, dataset, batch_size, held_back):
        order = np.random.RandomState(0).permutation(len(dataset))
        size = int(len(dataset) * held_back)
        self.n_samples = len(dataset) - size
        self.held_back = SubsetRandomSampler(order[:size])
        self.options = {"dataset": dataset, "batch_size": batch_size}
        if self.options["batch_size"] % dist.get_world_size() != 0:
            raise SystemExit(f'batch size {self.options["batch_size"]} cannot be shared out over {dist.get_world_size()} processes')
        loader_sampler = SharedSampler(SubsetRandomSampler(order[size:]))
        super().__init__(
            sampler=loader_sampler, **dict(self.options, batch_size=self.options["batch_size"] // dist.get_world_size())
        )

    def rest(self):
        return DataLoader(sampler=self.held_back.indices, **self.options)


class Points(SplitLoader):
    def __init__(self, batch_size=8, held_back=0.25):
        x = torch.randn(64, 4)
        super().__init__(TensorDataset(x, (x.sum(1) > 0).long()), batch_size, held_back)
