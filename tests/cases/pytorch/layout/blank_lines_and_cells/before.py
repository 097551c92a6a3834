"""An exported notebook (cells marked # In[ ]: or # %%), with lone expressions and blank lines between."""

# In[1]:


import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


# In[2]:


loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
len(loader)


# In[3]:


model = nn.Linear(10, 1)
model


# %%
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):

    for x, y in loader:

        optimizer.zero_grad()

        nn.functional.mse_loss(model(x), y).backward()

        optimizer.step()


# In[ ]:
