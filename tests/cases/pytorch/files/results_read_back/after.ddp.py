"""Results are written, read back, and written anew where they cannot be read; others read them later."""
import json

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def save(results, path):
    with open(path if dist.get_rank() == 0 else os.devnull, "w") as f:
        json.dump(results, f)
    if dist.get_rank() == 0:
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
    dist.barrier()
    with open(path) as f:
        results = json.load(f)
    return sum(results) / len(results)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=64 // dist.get_world_size(), sampler=DistributedSampler(data))
held_out = DataLoader(TensorDataset(torch.randn(100, 8), torch.randint(0, 2, (100,))), batch_size=50)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    model.train()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(ddp_model(x), y)
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
    if dist.get_rank() == 0:
        print(score_result)
del ddp_model
dist.destroy_process_group()
