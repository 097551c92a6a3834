"""RandomSampler without replacement is plain shuffling, SequentialSampler plain order: both become distributed."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, RandomSampler, SequentialSampler, TensorDataset

inputs = torch.randint(0, 100, (900, 16))
masks = torch.ones_like(inputs, dtype=torch.float)
labels = (inputs.float().mean(1) > 50).long()
train_data = TensorDataset(inputs[:800], masks[:800], labels[:800])
valid_data = TensorDataset(inputs[800:], masks[800:], labels[800:])
train_dataloader = DataLoader(train_data, sampler=RandomSampler(train_data), batch_size=16)
valid_dataloader = DataLoader(valid_data, sampler=SequentialSampler(valid_data), batch_size=16)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 24)
        self.head = nn.Linear(24, 2)

    def forward(self, ids, mask):
        return self.head((self.embed(ids) * mask.unsqueeze(-1)).mean(1))


model = Classifier()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, eps=1e-8)
for epoch in range(2):
    model.train()
    for batch in train_dataloader:
        b_ids, b_mask, b_labels = batch
        model.zero_grad()
        loss = nn.functional.cross_entropy(model(b_ids, b_mask), b_labels)
        loss.backward()
        optimizer.step()
    model.eval()
    hits = 0
    for batch in valid_dataloader:
        b_ids, b_mask, b_labels = batch
        with torch.no_grad():
            logits = model(b_ids, b_mask)
        hits += (logits.argmax(1) == b_labels).sum().item()
    print("Epoch", epoch, "validation accuracy", hits / len(valid_data))
