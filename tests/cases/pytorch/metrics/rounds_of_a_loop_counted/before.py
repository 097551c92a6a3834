"""What a loop counts of samples in some places, of one beside another, or up to one, is no sum over all of them."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 4), torch.randint(0, 3, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(4):
    first, beside, streak, above, turned = 0, 0, 0, 0, 0
    for x, y in loader:
        output = model(x)
        loss = criterion(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        predicted = output.argmax(1)
        mean = output.mean()
        other = torch.cat([predicted[4:], predicted[:4]])
        for i in range(len(y)):
            if i < 3 and predicted[i] == y[i]:
                first += 1
        for i in range(len(y)):
            if predicted[i] == y[i - 1]:
                beside += 1
        for i in range(len(y)):
            if predicted[i] == y[i]:
                streak += 1
            else:
                streak = 0
        for i in range(len(y)):
            if output[i][0] > mean:
                above += 1
        for i in range(len(y)):
            if other[i] == y[i]:
                turned += 1
    print(first)
    print(beside)
    print(streak)
    print(above)
    print(turned)
