"""What is shown after an evaluation is of its last batch, under the names that training used before."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(320, 8), torch.randint(0, 3, (320,))
train_loader = DataLoader(TensorDataset(x[:256], y[:256]), batch_size=16, shuffle=True)
test_loader = DataLoader(TensorDataset(x[256:], y[256:]), batch_size=16)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    model.train()
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        for inputs, labels in test_loader:
            outputs = model(inputs)
            loss = criterion(outputs, labels)
    print(epoch, loss.item(), outputs.argmax(dim=1)[:5].tolist(), labels[:5].tolist())
