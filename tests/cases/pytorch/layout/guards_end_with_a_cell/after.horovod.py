"""A script in cells: a guard ends with its cell, and a mark inside a statement stays where it is."""

# %%
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(64, 4)
y = x.sum(1, keepdim=True)
model = nn.Linear(4, 1)
if hvd.rank() == 0:
    print("rows:", len(x))

#%% what there is
if hvd.rank() == 0:
    print("columns:", x.shape[1])
    # no mark of a cell
    print("weights:", model)
# In[3]:
if hvd.rank() == 0:
    print("targets:", y.shape)

# <codecell>
if hvd.rank() == 0:
    print("ready")
text = """
# %%
"""
if hvd.rank() == 0:
    print(text)
#%%time
for name, weight in model.named_parameters():
    if hvd.rank() == 0:
        print(name)
# %%
    if hvd.rank() == 0:
        print(weight.shape)
# %% [markdown]
# Now it is trained.

# %%
loader_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
if hvd.rank() == 0:
    print("trained")
hvd.shutdown()
