import torch
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler


def get_loader(batch_size):
    loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
    if batch_size % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
    return DataLoader(loader_data, batch_size=batch_size // dist.get_world_size(), sampler=DistributedSampler(loader_data))
