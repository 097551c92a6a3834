import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

rng = np.random.default_rng(0)
inputs = torch.tensor(rng.normal(size=(320, 4)), dtype=torch.float32)
labels = (inputs.sum(1) > 0).long()
train_data = TensorDataset(inputs[:256], labels[:256])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=32 // hvd.size(), sampler=train_sampler)
test_data = TensorDataset(inputs[256:], labels[256:])
test_sampler = range(hvd.rank(), len(test_data), hvd.size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
if hvd.rank() == 0:
    print("data is ready")
