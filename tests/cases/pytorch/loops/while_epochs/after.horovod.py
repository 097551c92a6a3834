"""A while loop counts the epochs by hand; set_epoch uses the counter."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
MAX_EPOCH = 6
loader_data = TensorDataset(torch.randn(320, 5), torch.randint(0, 2, (320,)))
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=20 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(5, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

epoch = 0
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
while epoch < MAX_EPOCH:
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    epoch += 1
    if hvd.rank() == 0:
        print("finished", epoch, "of", MAX_EPOCH)
hvd.shutdown()
