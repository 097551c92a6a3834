"""A collate function makes a dict of dicts: predictions and targets have one number a sample each, and the loss stays."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)
x = torch.randn(320, 6)
y = torch.randint(0, 3, (320,))
w = torch.rand(320)


class Rows(Dataset):
    def __len__(self):
        return len(x)

    def __getitem__(self, index):
        return {"x": x[index], "w": w[index]}


def collate(samples):
    return {"x": torch.stack([s["x"] for s in samples]), "w": torch.tensor([s["w"] for s in samples])}


loader = DataLoader(Rows(), batch_size=32, collate_fn=collate)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)

for epoch in range(2):
    for batch in loader:
        out = model(batch["x"])
        loss = F.mse_loss(out[:, 0], batch["w"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
