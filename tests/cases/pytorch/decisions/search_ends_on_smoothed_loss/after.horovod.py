"""A search for a learning rate leaves its loop where the smoothed loss has grown, and starts again from saved weights."""
import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(256, 6)
y = (x.sum(1) > 0).long()


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


loader_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=SharedSampler(RandomSampler(loader_data)))
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
if hvd.rank() == 0:
    torch.save(model.state_dict(), "first.pt")
scheduler = ExponentialLR(optimizer, 1.6)
rates, losses = [], []
best = float("inf")
batches = iter(loader)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for step in range(40):
    try:
        inputs, labels = next(batches)
    except StopIteration:
        batches = iter(loader)
        inputs, labels = next(batches)
    optimizer.zero_grad()
    loss = criterion(model(inputs), labels)
    loss.backward()
    optimizer.step()
    value = loss.item()
    rates.append(scheduler.get_last_lr()[0])
    scheduler.step()
    if step > 0:
        value = 0.05 * value + 0.95 * losses[-1]
    totals = hvd.allreduce(torch.tensor([value, best], dtype=torch.float64), op=hvd.Sum)
    mean_value, mean_best = totals[0].item() / hvd.size(), totals[1].item() / hvd.size()
    if mean_value < mean_best:
        best = value
    losses.append(value)
    totals = hvd.allreduce(torch.tensor([value, 4 * best], dtype=torch.float64), op=hvd.Sum)
    mean_value, mean_best = totals[0].item() / hvd.size(), totals[1].item() / hvd.size()
    if mean_value > mean_best:
        if hvd.rank() == 0:
            print("stopped")
        break
hvd.barrier()
model.load_state_dict(torch.load("first.pt"))
if hvd.rank() == 0:
    print(rates[-1])
hvd.shutdown()
