import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler

rng = np.random.default_rng(0)
inputs = torch.tensor(rng.normal(size=(320, 4)), dtype=torch.float32)
labels = (inputs.sum(1) > 0).long()
train_data = TensorDataset(inputs[:256], labels[:256])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
test_data = TensorDataset(inputs[256:], labels[256:])
test_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
if dist.get_rank() == 0:
    print("data is ready")
