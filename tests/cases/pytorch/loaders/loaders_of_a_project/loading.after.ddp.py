from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler


def get_loader(
    inputs,
    labels,
    size: int = (32), for_training=False  # of a batch
):
    loader_data = TensorDataset(inputs, labels)
    if for_training:
        if size % dist.get_world_size() != 0:
            raise SystemExit(f"batch size {size} cannot be shared out over {dist.get_world_size()} processes")
        sampler = DistributedSampler(loader_data, shuffle=False)
        share = size // dist.get_world_size()
    else:
        sampler = None
        share = size
    return DataLoader(loader_data, share, sampler=sampler)


def longer(*rows):
    return get_loader(*rows, size=100)
