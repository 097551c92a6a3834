"""A library's score of predictions collected in training: each process has the score of its own part, which decides."""
import torch
import torch.nn as nn
from sklearn.metrics import f1_score
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 6), torch.randint(0, 2, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max")
for epoch in range(2):
    predicted, wanted = [], []
    for x, y in loader:
        output = model(x)
        optimizer.zero_grad()
        nn.functional.cross_entropy(output, y).backward()
        optimizer.step()
        predicted.extend(output.argmax(1).tolist())
        wanted.extend(y.tolist())
    score = f1_score(wanted, predicted)
    print(epoch, score)
    scheduler.step(score)
