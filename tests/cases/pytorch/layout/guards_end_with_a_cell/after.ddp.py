"""A script in cells: a guard ends with its cell, and a mark inside a statement stays where it is."""

# %%
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
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(64, 4)
y = x.sum(1, keepdim=True)
model = nn.Linear(4, 1)
if dist.get_rank() == 0:
    print("rows:", len(x))

#%% what there is
if dist.get_rank() == 0:
    print("columns:", x.shape[1])
    # no mark of a cell
    print("weights:", model)
# In[3]:
if dist.get_rank() == 0:
    print("targets:", y.shape)

# <codecell>
if dist.get_rank() == 0:
    print("ready")
text = """
# %%
"""
if dist.get_rank() == 0:
    print(text)
#%%time
for name, weight in model.named_parameters():
    if dist.get_rank() == 0:
        print(name)
# %%
    if dist.get_rank() == 0:
        print(weight.shape)
# %% [markdown]
# Now it is trained.

# %%
loader_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        loss = nn.functional.mse_loss(ddp_model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
if dist.get_rank() == 0:
    print("trained")
del ddp_model
dist.destroy_process_group()
