"""The progress bar is around the epochs (trange): shown by rank 0 only, its postfix reduced."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import trange
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(500, 7), torch.randn(500, 1))
if 25 % hvd.size() != 0:
    raise SystemExit(f"batch size 25 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=25 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(7, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
with trange(30, disable=hvd.rank() != 0) as bar:
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(seed + hvd.rank())
    for epoch in bar:
        losses = 0.0
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            losses += loss.item()
        total = hvd.allreduce(torch.tensor(losses, dtype=torch.float64), op=hvd.Sum)
        losses = total.item() / hvd.size()
        bar.set_postfix(loss=losses / len(loader))
hvd.shutdown()
