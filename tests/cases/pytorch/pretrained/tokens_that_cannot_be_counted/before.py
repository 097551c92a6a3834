"""The labels are given in a dict without a name, so that they cannot be counted."""

import torch
from torch.utils.data import DataLoader
from transformers import AutoModelForMaskedLM

model = AutoModelForMaskedLM.from_pretrained("bert-base-uncased")
loader = DataLoader(torch.load("tokens.pt"), batch_size=8, shuffle=True)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
for epoch in range(3):
    for batch in loader:
        outputs = model(**{key: value.clone() for key, value in batch.items()})
        optimizer.zero_grad()
        outputs.loss.backward()
        optimizer.step()
