"""A function gives targets a second column in the batch that it is given: the loss of [B, 1] and [B, 1, 1] must be refused."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
y = torch.randn(64, 1)
device = torch.device("cpu")


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        return {"x": x[i], "y": y[i]}


loader = DataLoader(Data(), batch_size=8)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
def prep(b):
    b["y"] = b["y"].unsqueeze(1)


for epoch in range(2):
    total = 0.0
    for batch in loader:
        prep(batch)
        a, b = batch["x"], batch["y"]
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a), b)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(a)
    print(epoch, total / 64)
