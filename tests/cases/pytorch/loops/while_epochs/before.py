"""A while loop counts the epochs by hand; set_epoch uses the counter."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

MAX_EPOCH = 6
loader = DataLoader(TensorDataset(torch.randn(320, 5), torch.randint(0, 2, (320,))), batch_size=20, shuffle=True)
model = nn.Linear(5, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.3)

epoch = 0
while epoch < MAX_EPOCH:
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    epoch += 1
    print("finished", epoch, "of", MAX_EPOCH)
