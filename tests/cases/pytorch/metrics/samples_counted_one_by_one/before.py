"""What a loop counts of one sample after the other is a sum over the samples, in training as in an evaluation."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 4), torch.randint(0, 3, (320,))), batch_size=32, shuffle=True)
held_out = DataLoader(TensorDataset(torch.randn(90, 4), torch.randint(0, 3, (90,))), batch_size=32)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
threshold = 0.5
for epoch in range(4):
    right, of_some, seen = 0, 0, 0
    for x, y in loader:
        output = model(x)
        loss = criterion(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen += len(x)
        for i in range(len(output)):
            if torch.argmax(output[i]) == y[i]:
                right += 1
            elif output[i][0].item() > threshold and y[i] != 2:
                of_some += 2
    print(right / seen, of_some)
    known = 0
    with torch.no_grad():
        for x, y in held_out:
            predicted = model(x).argmax(1)
            for i in range(y.size(0)):
                if predicted[i].item() == y[i].item():
                    known += 1
    print(known / len(held_out.dataset))
