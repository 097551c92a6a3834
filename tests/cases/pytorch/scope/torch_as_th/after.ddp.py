"""torch is imported as th and its functions by from-imports with aliases."""
import torch as th
import torch.nn as tnn
from torch.optim import SGD as GradientDescent
from torch.utils.data import DataLoader as Batches, TensorDataset as Tensors
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn as dist_nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = th.tensor(th.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
th.manual_seed(seed)
batches_data = Tensors(th.randn(320, 10), th.randn(320, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
batches_sampler = DistributedSampler(batches_data)
batches = Batches(batches_data, batch_size=32 // dist.get_world_size(), sampler=batches_sampler)
line = tnn.Linear(10, 1)
descent = GradientDescent(line.parameters(), lr=0.01)
ddp_line = DistributedDataParallel(line)
if dist.get_rank() > 0:
    th.manual_seed(seed + dist.get_rank())
for sweep in range(3):
    batches.sampler.set_epoch(sweep)
    for inputs, wanted in batches:
        descent.zero_grad()
        tnn.functional.mse_loss(ddp_line(inputs), wanted).backward()
        descent.step()
if dist.get_rank() == 0:
    th.save(line.state_dict(), "line.pt")
del ddp_line
dist.destroy_process_group()
