"""correct and total are both counted in the loop: both are sums over ranks, reduced together."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(400, 9), torch.randint(0, 2, (400,)))
if 40 % hvd.size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=40 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(9, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    correct, total = 0, 0
    loader.sampler.set_epoch(epoch)
    for data in loader:
        x, y = data
        out = model(x)
        loss = nn.functional.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        _, predicted = torch.max(out.data, 1)
        total += y.size(0)
        correct += (predicted == y).sum().item()
    totals = hvd.allreduce(torch.tensor([correct, total], dtype=torch.float64), op=hvd.Sum)
    correct, total = int(totals[0]), int(totals[1])
    accuracy = 100 * correct / total
    if hvd.rank() == 0:
        print('Epoch: %d, training accuracy: %.2f%% of %d' % (epoch, accuracy, total))
hvd.shutdown()
