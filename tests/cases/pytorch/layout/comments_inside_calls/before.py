"""Comments and trailing commas inside the call's parentheses are kept where they stand."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(
    TensorDataset(torch.randn(320, 10), torch.randn(320, 1)),  # noise
    batch_size=32,   # samples per step
    shuffle=True,    # each epoch another order (please keep)
    # num_workers=4,
)
test_loader = DataLoader(TensorDataset(torch.randn(64, 10), torch.randn(64, 1)), 32  # the same size
                         )
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(
    model.parameters(),  # all of them
    lr=0.05,  # found by trial
    # momentum=0.9,
)
for epoch in range(3):
    for x, y in loader:  # one pass
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    sse = 0.0
    with torch.no_grad():
        for x, y in test_loader:
            sse += (model(x) - y).pow(2).sum().item()
    print(sse / len(test_loader.dataset))  # squared error
