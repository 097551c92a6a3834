"""A text is made of a loss that is reduced there, and shown without its line break, within another text, and as it is."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,))), batch_size=64, shuffle=True)
model = nn.Linear(8, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
log = open("log.txt", "w")
for epoch in range(2):
    losses = []
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    line = f"epoch {epoch}: {sum(losses) / len(losses):.4f}\n"
    log.write(line)
    print(line.strip())
    last = "last loss %.4f" % losses[-1]
    print("[" + last + "]", flush=True)
log.close()
