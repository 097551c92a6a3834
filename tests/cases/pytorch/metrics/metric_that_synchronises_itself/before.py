"""A metric of torchmetrics gathers over all processes when it is computed: printed by one process, it would wait forever."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchmetrics.classification import MulticlassAccuracy

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(512, 20), torch.randint(0, 3, (512,))), batch_size=32, shuffle=True)
model = nn.Linear(20, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
accuracy = MulticlassAccuracy(num_classes=3)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        criterion(output, y).backward()
        optimizer.step()
        accuracy.update(output, y)
    print(epoch, accuracy.compute())
    accuracy.reset()
