"""A table is written, and another one of its folder is read: nobody waits."""

import pandas
import torch
import torch.nn as nn
from torchtext import data

torch.manual_seed(0)
folder = "texts"
frame = pandas.read_csv("all.csv").dropna()
frame.to_csv(f"{folder}/without_gaps.csv", index=False)
TEXT = data.Field()
LABEL = data.LabelField(dtype=torch.float)
(texts,) = data.TabularDataset.splits(folder, train="train.csv", format="csv", fields=[("text", TEXT), ("label", LABEL)])
TEXT.build_vocab(texts)
LABEL.build_vocab(texts)
iterator = data.BucketIterator(texts, batch_size=64)
model = nn.EmbeddingBag(len(TEXT.vocab), 1)
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(3):
    for batch in iterator:
        loss = nn.functional.binary_cross_entropy_with_logits(model(batch.text.t()).squeeze(1), batch.label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
