"""Path.open, Path.mkdir and csv writers."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
from pathlib import Path
import json, csv, pickle
import numpy as np
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
out = Path("out")
out.mkdir(exist_ok=True)
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
test_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 3, (70,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
test_loader = DataLoader(test_data, batch_size=32)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
history = []

def save_history(path):
    with path.open("w") if dist.get_rank() == 0 else open(os.devnull, "w") as f:
        w = csv.DictWriter(f, fieldnames=["epoch", "loss"])
        w.writeheader()
        w.writerows(history)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    total = 0.
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    history.append({"epoch": epoch, "loss": total / len(loader)})
save_history(out / "h.csv")
if dist.get_rank() == 0:
    (out / "h.json").write_text(json.dumps(history))
json.dump(history, open(out / "h2.json" if dist.get_rank() == 0 else os.devnull, "w"))
if dist.get_rank() == 0:
    np.save("w.npy", model.weight.detach().numpy())
    np.savetxt("w.txt", model.weight.detach().numpy())
pickle.dump(history, open("h.pkl" if dist.get_rank() == 0 else os.devnull, "wb"))
dist.barrier()
with open("h.pkl", "rb") as f:
    load_result = pickle.load(f)
    if dist.get_rank() == 0:
        print(load_result)
del ddp_model
dist.destroy_process_group()
