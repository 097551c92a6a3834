"""What is measured whole in some steps decides rates and the end: rank 0's, though the step's number is in it."""

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
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
criterion = nn.CrossEntropyLoss()
rounds, best, patience, stop = 0, 100.0, 0, False


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
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        rounds += 1
        if step % 4 == 0:
            worst = measure() + 0.001 * rounds
            scheduler.step(hvd.broadcast_object(worst))
            if hvd.broadcast_object(worst < best):
                best, patience = worst, 0
                if hvd.rank() == 0:
                    torch.save(model.state_dict(), "best.pt")
            else:
                patience += 1
                for group in optimizer.param_groups:
                    group["lr"] = hvd.broadcast_object(0.1 * worst)
            if hvd.broadcast_object(patience > 3):
                stop = True
                break
            if hvd.rank() == 0:
                print(rounds, worst, best)
    if hvd.broadcast_object(stop):
        break
hvd.shutdown()
