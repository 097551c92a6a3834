"""A script in cells: a guard ends with its cell, and a mark inside a statement stays where it is."""

# %%
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
y = x.sum(1, keepdim=True)
model = nn.Linear(4, 1)
print("rows:", len(x))

#%% what there is
print("columns:", x.shape[1])
# no mark of a cell
print("weights:", model)
# In[3]:
print("targets:", y.shape)

# <codecell>
print("ready")
text = """
# %%
"""
print(text)
#%%time
for name, weight in model.named_parameters():
    print(name)
# %%
    print(weight.shape)
# %% [markdown]
# Now it is trained.

# %%
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print("trained")
