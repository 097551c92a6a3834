"""XLNet has parameters that a step without targets to map leaves out, unlike BERT: DDP has to look for them."""

import torch
from torch.optim import AdamW
from torch.utils.data import DataLoader, TensorDataset
from transformers import XLNetForSequenceClassification

torch.manual_seed(0)
ids, mask, labels = torch.load("texts.pt")
loader = DataLoader(TensorDataset(ids, mask, labels), batch_size=8, shuffle=True)
model = XLNetForSequenceClassification.from_pretrained("xlnet-base-cased", num_labels=3)
optimizer = AdamW(model.parameters(), lr=5e-5)
for epoch in range(2):
    for texts, attended, classes in loader:
        optimizer.zero_grad()
        model(texts, attention_mask=attended, labels=classes).loss.backward()
        optimizer.step()
model.save_pretrained("model")
