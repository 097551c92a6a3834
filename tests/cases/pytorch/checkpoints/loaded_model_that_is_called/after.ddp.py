"""A whole model is loaded under another name and called: it goes to each process's own GPU; weights go to the CPU."""

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
x = torch.randn(320, 6)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(6, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(inputs.cuda()), labels.cuda()).backward()
        optimizer.step()
if dist.get_rank() == 0:
    torch.save(model, "model.pt")
    torch.save(model.state_dict(), "weights.pt")
dist.barrier()
kept = torch.load(
    "model.pt",
    weights_only=False,
    map_location=(lambda storage, place: storage.cuda() if place.startswith("cuda") else storage),
)
kept_result = kept(x.cuda())
if dist.get_rank() == 0:
    print(kept_result.sum().item())
tested = torch.load("model.pt", weights_only=False, map_location=(lambda storage, place: storage.cuda() if place.startswith("cuda") else storage)).eval()
weights = torch.load("weights.pt", map_location="cpu")
model.load_state_dict(weights)
if dist.get_rank() == 0:
    print(sorted(weights), tested)
del ddp_model
dist.destroy_process_group()
