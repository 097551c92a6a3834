"""Recognise handwritten digits with a small convolutional network.

The data are scikit-learn's digits: 1,797 grey images of 8 x 8 pixels, ten classes. They come with scikit-learn, so
nothing is downloaded. Needs PyTorch and scikit-learn; takes some ten seconds on one CPU core.

    python digits_cnn.py
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

# Hyper-parameters
epochs = 15
batch_size = 64
learning_rate = 0.05

# Data: pixel values go from 0 to 16, bring them to [0, 1] and add the channel dimension
digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
labels = torch.tensor(digits.target)
x_train, x_test, y_train, y_test = train_test_split(images, labels, test_size=0.2, random_state=0)

train_loader = DataLoader(TensorDataset(x_train, y_train), batch_size=batch_size, shuffle=True)
test_loader = DataLoader(TensorDataset(x_test, y_test), batch_size=256)


class Net(nn.Module):
    """Two convolutions, one pooling, two dense layers."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 3, padding=1)
        self.conv2 = nn.Conv2d(32, 64, 3, padding=1)
        self.fc1 = nn.Linear(64 * 4 * 4, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)  # 8 x 8 -> 4 x 4
        x = F.relu(self.fc1(x.flatten(1)))
        return self.fc2(x)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Net().to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=learning_rate, momentum=0.9)

for epoch in range(epochs):
    # Train
    model.train()
    running_loss = 0.0
    for x, y in train_loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        running_loss += loss.item() * len(x)
    train_loss = running_loss / len(train_loader.dataset)

    # Test
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            x, y = x.to(device), y.to(device)
            correct += (model(x).argmax(dim=1) == y).sum().item()
    accuracy = correct / len(test_loader.dataset)

    print(f"epoch {epoch + 1:2d}  train loss {train_loss:.4f}  test accuracy {accuracy:.4f}")

torch.save(model.state_dict(), "digits_cnn.pt")
print("saved to digits_cnn.pt")
