"""The batch size and the shuffling of an evaluation loader stand on neighbouring lines, and both go."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

dataset = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
held_out = TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,)))
loader = DataLoader(dataset=dataset,
                    batch_size=64,
                    shuffle=True)
test_loader = DataLoader(dataset=held_out,
                         batch_size=64,
                         shuffle=False)
model = nn.Linear(8, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def test():
    test_loss = 0
    correct = 0
    for x, y in test_loader:
        out = model(x)
        test_loss += criterion(out, y).item()
        correct += (out.argmax(1) == y).sum().item()
    test_loss /= len(test_loader.dataset)
    print(test_loss, correct, len(test_loader.dataset))


for epoch in range(2):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    test()
