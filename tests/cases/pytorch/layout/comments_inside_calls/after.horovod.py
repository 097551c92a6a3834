"""Comments and trailing commas inside the call's parentheses are kept where they stand."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(
    loader_data,  # noise
    batch_size=32 // hvd.size(),   # samples per step
    sampler=loader_sampler,    # each epoch another order (please keep)
    # num_workers=4,
)
test_data = TensorDataset(torch.randn(64, 10), torch.randn(64, 1))
test_sampler = range(hvd.rank(), len(test_data), hvd.size())
test_loader = DataLoader(test_data, 32, sampler=test_sampler  # the same size
                         )
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(
    model.parameters(),  # all of them
    lr=0.05,  # found by trial
    # momentum=0.9,
)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:  # one pass
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    sse = 0.0
    with torch.no_grad():
        for x, y in test_loader:
            sse += (model(x) - y).pow(2).sum().item()
        total = hvd.allreduce(torch.tensor(sse, dtype=torch.float64), op=hvd.Sum)
        sse = total.item()
    if hvd.rank() == 0:
        print(sse / len(test_loader.dataset))  # squared error
hvd.shutdown()
