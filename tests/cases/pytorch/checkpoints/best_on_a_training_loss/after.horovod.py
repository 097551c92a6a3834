"""The best weights are chosen by a training loss: it is reduced before the decision."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import copy
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
test_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 3, (70,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
test_loader = DataLoader(test_data, batch_size=32)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
best, best_state = 1e9, None
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    totals = hvd.allreduce(torch.tensor([loss.item(), best], dtype=torch.float64), op=hvd.Sum)
    mean_loss, mean_best = totals[0].item() / hvd.size(), totals[1].item() / hvd.size()
    if mean_loss < mean_best:
        best = loss.item()
        best_state = copy.deepcopy(model.state_dict())
model.load_state_dict(best_state)
total = hvd.allreduce(torch.tensor(best, dtype=torch.float64), op=hvd.Sum)
mean_best = total.item() / hvd.size()
if hvd.rank() == 0:
    print(mean_best)
hvd.shutdown()
