"""What a process sees of the batches that are trained on, at some steps, is its shard's, alone or beside what is equal."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=64 // hvd.size(), sampler=loader_sampler)
kept = DataLoader(TensorDataset(torch.randn(200, 10), torch.randint(0, 3, (200,))), batch_size=50)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()
rounds, worst, beside = 0, [], []


def measure():
    model.eval()
    losses = []
    with torch.no_grad():
        for x, y in kept:
            losses.append(criterion(model(x), y).item())
    model.train()
    return max(losses)


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    losses = []
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        rounds += 1
        if step % 4 == 0:
            worst.append(max(losses))
            beside.append(measure() / max(losses))
            if hvd.rank() == 0:
                print(f"{rounds}:", worst[-1])
                print(f"{rounds}:", beside[-1])
if hvd.rank() == 0:
    print(worst)
hvd.shutdown()
