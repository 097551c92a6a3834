"""The data set is one of the datasets library, whose kind (map-style or iterable) Corro cannot see."""
import torch
import torch.nn as nn
from datasets import load_dataset
from torch.utils.data import DataLoader

dataset = load_dataset("ag_news", split="train").with_format("torch", columns=["label"])
loader = DataLoader(dataset, batch_size=32, shuffle=True)
model = nn.Embedding(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(batch["label"]), batch["label"]).backward()
        optimizer.step()
