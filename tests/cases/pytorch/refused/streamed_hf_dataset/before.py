"""A streamed data set of the datasets library is iterable: each process would read all of it."""
import torch
import torch.nn as nn
from datasets import load_dataset
from torch.utils.data import DataLoader

stream = load_dataset("mnist", split="train", streaming=True).with_format("torch")
loader = DataLoader(stream, batch_size=32)
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(batch["image"].float() / 255), batch["label"]).backward()
        optimizer.step()
