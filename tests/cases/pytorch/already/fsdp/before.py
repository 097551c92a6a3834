"""Already distributed with fully sharded data parallelism."""
import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

dist.init_process_group(backend="nccl")
torch.cuda.set_device(dist.get_rank() % torch.cuda.device_count())
data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
loader = DataLoader(data, batch_size=16, sampler=DistributedSampler(data))
model = FSDP(nn.Linear(10, 1).cuda())
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x.cuda()), y.cuda()).backward()
    optimizer.step()
dist.destroy_process_group()
