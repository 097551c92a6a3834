"""A function gives targets their column in the batch that it is given: this is converted."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)
x = torch.randn(64, 4)
y = torch.randn(64)
device = torch.device("cpu")


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        return {"x": x[i], "y": y[i]}


loader_data = Data()
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(
    loader_data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(loader_data, shuffle=False)
)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
def prep(b):
    b["y"] = b["y"].unsqueeze(1)


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        prep(batch)
        a, b = batch["x"], batch["y"]
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(ddp_model(a), b)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(a)
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item()
    if dist.get_rank() == 0:
        print(epoch, total / 64)
del ddp_model
dist.destroy_process_group()
