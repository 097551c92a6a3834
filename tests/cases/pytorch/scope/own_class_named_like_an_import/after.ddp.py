"""The user has classes named like what would be imported."""
import torch
import os.path as osp
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import os as os_
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DistributedDataParallel_
from torch.utils.data.distributed import DistributedSampler as DistributedSampler_
import torch.distributed.nn  # imported after the start, it would keep the group from ending

class DistributedSampler: pass
class DistributedDataParallel: pass
if "RANK" not in os_.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os_.environ["LOCAL_RANK"]))
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
os = 3
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
test_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 3, (70,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler_(data))
test_loader = DataLoader(test_data, batch_size=32)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel_(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
f = open("u.txt" if dist.get_rank() == 0 else os_.devnull, "w")
f.write(str(os)); f.close()
del ddp_model
dist.destroy_process_group()
