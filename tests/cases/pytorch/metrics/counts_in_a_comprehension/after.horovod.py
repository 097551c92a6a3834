"""Counts of each class are divided in the comprehension that prints them: the list of counts is summed up before."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(320, 8), torch.randint(0, 3, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    right = [0, 0, 0]
    seen = 0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        out = model(x)
        loss = nn.functional.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for k in range(3):
            right[k] += ((out.argmax(1) == k) & (y == k)).sum().item()
        seen += len(y)
    total = hvd.allreduce(torch.tensor(seen, dtype=torch.float64), op=hvd.Sum)
    seen = int(total)
    total_right = hvd.allreduce(torch.tensor(right, dtype=torch.float64), op=hvd.Sum)
    total_right = total_right.long().tolist()
    if hvd.rank() == 0:
        print(" ".join(f"{k}: {r / seen:.3f}" for k, r in enumerate(total_right)))
hvd.shutdown()
