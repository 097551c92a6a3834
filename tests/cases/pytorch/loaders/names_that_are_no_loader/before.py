"""train_loader is a list of file names and loader a function that opens an image: neither is a DataLoader."""
import glob

import numpy as np
import torch
import torch.nn as nn
from PIL import Image
from torch.utils.data import DataLoader, Dataset

train_loader = sorted(glob.glob("images/*.png"))
print(len(train_loader), "files")


def loader(path, batch_size=(32, 32)):
    return np.asarray(Image.open(path).convert("L").resize(batch_size), dtype=np.float32) / 255


class Files(Dataset):
    def __init__(self, names):
        self.names = names

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        return torch.from_numpy(loader(self.names[i])), int("cat" in self.names[i])


for name in train_loader:
    assert name.endswith(".png")

batches = DataLoader(Files(train_loader), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Flatten(), nn.Linear(1024, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
for epoch in range(5):
    for image, label in batches:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(image), label).backward()
        optimizer.step()
