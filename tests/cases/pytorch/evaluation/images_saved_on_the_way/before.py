"""Images are saved while the hits are counted: every process evaluates all, and rank 0 saves every image."""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset
from torchvision.utils import save_image

digits = load_digits()
X = torch.tensor(digits.data).float() / 16
y = torch.tensor(digits.target)
train_loader = DataLoader(TensorDataset(X[:1500], y[:1500]), batch_size=50, shuffle=True)
test_loader = DataLoader(TensorDataset(X[1500:], y[1500:]), batch_size=100)

model = nn.Linear(64, 10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()

correct = 0
with torch.no_grad():
    for number, (inputs, labels) in enumerate(test_loader):
        predicted = model(inputs).argmax(1)
        correct += (predicted == labels).sum().item()
        save_image(inputs[predicted != labels].view(-1, 1, 8, 8), f"wrong_{number}.png")
print(correct / len(test_loader.dataset))
