"""The best weights are kept in a temporary folder: all take rank 0's, which is removed when all have read."""

import os
from tempfile import TemporaryDirectory

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def train_model(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    with TemporaryDirectory() as folder:
        folder = hvd.broadcast_object(folder)
        path = os.path.join(folder, "best.pt")
        if hvd.rank() == 0:
            torch.save(model.state_dict(), path)
        best = 1e9
        hvd.broadcast_parameters(model.state_dict(), root_rank=0)
        if hvd.rank() > 0:
            torch.manual_seed(hvd.rank())
        for epoch in range(epochs):
            total = 0.0
            loader.sampler.set_epoch(epoch)
            for x, y in loader:
                optimizer.zero_grad()
                loss = nn.functional.cross_entropy(model(x), y)
                loss.backward()
                optimizer.step()
                total += loss.item() * len(x)
            total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
            total = total_.item()
            if total < best:
                best = total
                if hvd.rank() == 0:
                    torch.save(model.state_dict(), path)
        hvd.barrier()
        model.load_state_dict(torch.load(path))
        hvd.barrier()
    return model


hvd.init()
torch.manual_seed(0)
x = torch.randn(320, 6)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = train_model(nn.Linear(6, 2), loader, 2)
if hvd.rank() == 0:
    print("bias", model.bias.sum().item())
hvd.shutdown()
