"""ignore_index makes the divisor the number of tokens counted, which differs between the ranks' batches."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

PAD = 0
torch.manual_seed(0)
tokens = torch.randint(1, 30, (400, 12))
for row in tokens:
    row[torch.randint(3, 12, (1,)).item():] = PAD
loader = DataLoader(TensorDataset(tokens), batch_size=20, shuffle=True)
model = nn.Sequential(nn.Embedding(30, 16, padding_idx=PAD), nn.Linear(16, 30))
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for (seq,) in loader:
        logits = model(seq[:, :-1])
        loss = criterion(logits.reshape(-1, 30), seq[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
