"""train_test_split without random_state draws from NumPy's global generator, which must be equal on all ranks."""
import torch
import torch.nn as nn
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

X, y = load_iris(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2)
train_loader = DataLoader(TensorDataset(torch.FloatTensor(X_train), torch.LongTensor(y_train)), batch_size=16, shuffle=True)
X_test, y_test = torch.FloatTensor(X_test), torch.LongTensor(y_test)
model = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(30):
    for x, t in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), t).backward()
        optimizer.step()
model.eval()
with torch.no_grad():
    acc = (model(X_test).argmax(1) == y_test).float().mean().item()
print('Test accuracy:', acc)
