"""Where something is counted depends on the data: a confusion matrix filled while training."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(512, 20), torch.randint(0, 3, (512,))), batch_size=32, shuffle=True)
model = nn.Linear(20, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    confusion = torch.zeros(3, 3)
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        for truth, guess in zip(y.tolist(), output.argmax(1).tolist()):
            confusion[truth, guess] += 1
    print(confusion)
