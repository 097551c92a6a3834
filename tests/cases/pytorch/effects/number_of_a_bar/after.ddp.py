"""What a bar has counted is shown by rank 0, which has one; its total is equal everywhere."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(256, 8), torch.randint(0, 3, (256,)))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
bar = tqdm(loader, disable=dist.get_rank() != 0)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for i, (inputs, labels) in enumerate(bar):
    optimizer.zero_grad()
    loss = criterion(ddp_model(inputs), labels)
    loss.backward()
    optimizer.step()
    if i == bar.total - 1:
        total_ = torch.tensor(loss.item(), dtype=torch.float64)
        dist.all_reduce(total_)
        mean_loss = total_.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            print(bar.n, mean_loss)
del ddp_model
dist.destroy_process_group()
