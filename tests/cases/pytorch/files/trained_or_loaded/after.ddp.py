"""A model is loaded where its file is there, and trained and saved where not: all have asked before they train."""
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
path = os.path.join("models", "linear.pt")
if os.path.isfile(path):
    model.load_state_dict(torch.load(path))
    if dist.get_rank() == 0:
        print("loaded")
else:
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = criterion(ddp_model(xb), yb)
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), path)
    del ddp_model
    with open("trained.txt" if dist.get_rank() == 0 else os.devnull, "a") as file:
        file.write("trained\n")
model_result = model(x)
if dist.get_rank() == 0:
    print(model_result.argmax(1).eq(y).float().mean())
dist.destroy_process_group()
