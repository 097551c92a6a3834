import torch
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def get_loader(batch_size):
    loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
    if batch_size % hvd.size() != 0:
        raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
    return DataLoader(loader_data, batch_size=batch_size // hvd.size(), sampler=DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank()))
