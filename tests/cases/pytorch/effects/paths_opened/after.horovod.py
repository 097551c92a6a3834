"""Path.open, Path.mkdir and csv writers."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
from pathlib import Path
import json, csv, pickle
import numpy as np
import horovod.torch as hvd
import os
from torch.utils.data.distributed import DistributedSampler
hvd.init()
out = Path("out")
out.mkdir(exist_ok=True)
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
history = []

def save_history(path):
    with path.open("w") if hvd.rank() == 0 else open(os.devnull, "w") as f:
        w = csv.DictWriter(f, fieldnames=["epoch", "loss"])
        w.writeheader()
        w.writerows(history)

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    total = 0.
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    history.append({"epoch": epoch, "loss": total / len(loader)})
save_history(out / "h.csv")
if hvd.rank() == 0:
    (out / "h.json").write_text(json.dumps(history))
json.dump(history, open(out / "h2.json" if hvd.rank() == 0 else os.devnull, "w"))
if hvd.rank() == 0:
    np.save("w.npy", model.weight.detach().numpy())
    np.savetxt("w.txt", model.weight.detach().numpy())
pickle.dump(history, open("h.pkl" if hvd.rank() == 0 else os.devnull, "wb"))
hvd.barrier()
with open("h.pkl", "rb") as f:
    load_result = pickle.load(f)
    if hvd.rank() == 0:
        print(load_result)
hvd.shutdown()
