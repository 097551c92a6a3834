"""Shuffled folds without a random_state: rank 0's seed is shared for them."""
import numpy as np
import torch
from sklearn.model_selection import KFold
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
np.random.seed(seed % 2**32)
torch.manual_seed(0)
data = TensorDataset(torch.randn(90, 6), torch.randint(0, 2, (90,)))
for train_idx, _ in KFold(n_splits=3, shuffle=True).split(np.arange(90)):
    loader_data = Subset(data, train_idx)
    if 20 % hvd.size() != 0:
        raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=20 // hvd.size(), sampler=loader_sampler)
    model = nn.Linear(6, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        np.random.seed(np.random.randint(2**31) + hvd.rank())
        torch.manual_seed(torch.randint(2**31, ()).item() + hvd.rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
hvd.shutdown()
