"""Weights that libraries write to where they look for them: the others load them once rank 0 has."""

import open_clip
import torch
from pytorch_pretrained_bert import BertTokenizer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
network, _, prepare = open_clip.create_model_and_transforms("ViT-B-32", pretrained="openai")
tokenizer = BertTokenizer.from_pretrained("bert-base-uncased")
x = torch.randn(64, 4)
y = torch.randn(64, 1)
model = nn.Linear(4, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
