"""Model, loader and optimizer are made anew in each fold of a cross-validation."""
import numpy as np
import torch
import torch.nn as nn
from sklearn.model_selection import KFold
from torch.utils.data import DataLoader, Subset, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
data = TensorDataset(torch.randn(500, 10), torch.randint(0, 2, (500,)))
scores = []
for fold, (train_idx, val_idx) in enumerate(KFold(n_splits=5, shuffle=True, random_state=0).split(np.arange(500))):
    train_dl_data = Subset(data, train_idx)
    if 20 % hvd.size() != 0:
        raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
    train_dl_sampler = DistributedSampler(train_dl_data, num_replicas=hvd.size(), rank=hvd.rank())
    train_dl = DataLoader(train_dl_data, batch_size=20 // hvd.size(), sampler=train_dl_sampler)
    val_dl_data = Subset(data, val_idx)
    val_dl_sampler = range(hvd.rank(), len(val_dl_data), hvd.size())
    val_dl = DataLoader(val_dl_data, batch_size=20, sampler=val_dl_sampler)
    model = nn.Linear(10, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + hvd.rank())
    for epoch in range(3):
        train_dl.sampler.set_epoch(epoch)
        for x, y in train_dl:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    hits = 0
    with torch.no_grad():
        for x, y in val_dl:
            hits += (model(x).argmax(1) == y).sum().item()
        total = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
        hits = int(total)
    scores.append(hits / len(val_idx))
if hvd.rank() == 0:
    print(np.mean(scores))
hvd.shutdown()
