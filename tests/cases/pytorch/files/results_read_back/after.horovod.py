"""Results are written, read back, and written anew where they cannot be read; others read them later."""
import json

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import os
from torch.utils.data.distributed import DistributedSampler


def save(results, path):
    with open(path if hvd.rank() == 0 else os.devnull, "w") as f:
        json.dump(results, f)
    if hvd.rank() == 0:
        try:
            json.load(open(path))
        except Exception:
            lines = []
            with open(path, "r") as f:
                for line in f:
                    lines.append(line)
            lines[-1] = "]"
            with open(path, "w") as f:
                for line in lines:
                    f.write(line)


def score(path):
    hvd.barrier()
    with open(path) as f:
        results = json.load(f)
    return sum(results) / len(results)


hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=64 // hvd.size(), sampler=loader_sampler)
held_out = DataLoader(TensorDataset(torch.randn(100, 8), torch.randint(0, 2, (100,))), batch_size=50)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    model.train()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    hits = []
    with torch.no_grad():
        for x, y in held_out:
            hits.extend((model(x).argmax(1) == y).int().tolist())
    save(hits, "results.json")
    score_result = score("results.json")
    if hvd.rank() == 0:
        print(score_result)
hvd.shutdown()
