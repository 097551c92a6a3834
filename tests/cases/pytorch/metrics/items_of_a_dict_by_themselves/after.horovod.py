"""Of what a dict holds, one list is reduced where it is shown, and the others are equal: nothing is said of these."""

import time

import numpy as np
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


def measure():
    model.eval()
    losses = []
    with torch.no_grad():
        for x, y in kept:
            losses.append(criterion(model(x), y).item())
    model.train()
    return losses[-1]


curves = {"loss": [], "hits": [], "seconds": [], "kept": []}
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    start, hits, seen, losses = time.time(), 0, 0, []
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        hits += (output.argmax(1) == y).sum().item()
        seen += len(y)
    totals = hvd.allreduce(torch.tensor([hits, seen], dtype=torch.float64), op=hvd.Sum)
    hits, seen = int(totals[0]), int(totals[1])
    curves["loss"].append(sum(losses) / len(losses))
    curves["hits"].append(hits / seen)
    curves["seconds"].append(time.time() - start)
    curves["kept"].append(measure())
mean_curves = hvd.allreduce(torch.tensor(curves["loss"], dtype=torch.float64), op=hvd.Sum)
mean_curves = (mean_curves / hvd.size()).tolist()
if hvd.rank() == 0:
    print("loss", mean_curves)
    print("hits", curves["hits"], curves["hits"][-1])
    print("seconds for an epoch", np.mean(curves["seconds"]))
    print("kept", min(curves["kept"]))
hvd.shutdown()
