"""What is caught around the whole training, or raised again, leaves each step to all processes."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
try:
    for epoch in range(3):
        for inputs, labels in loader:
            try:
                optimizer.zero_grad()
                loss = criterion(model(inputs), labels)
                loss.backward()
                optimizer.step()
            except RuntimeError:
                print("this batch has failed")
                raise
except KeyboardInterrupt:
    print("stopped")
finally:
    torch.save(model.state_dict(), "m.pt")
