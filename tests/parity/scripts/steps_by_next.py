"""Steps are counted: batches come from an iterator that is made anew when it ends; evaluated on the way."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
digits = load_digits()
images = torch.tensor(digits.data, dtype=torch.float32) / 16
labels = torch.tensor(digits.target)
train_data, test_data = TensorDataset(images[:480], labels[:480]), TensorDataset(images[480:700], labels[480:700])
train_loader = DataLoader(train_data, batch_size=48, shuffle=True)
test_loader = DataLoader(test_data, batch_size=50)
model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)


def evaluate():
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
    model.train()
    return correct / len(test_data)


best, step, running = 0.0, 0, 0.0
batches = iter(train_loader)
while step < 24:
    try:
        x, y = next(batches)
    except StopIteration:
        batches = iter(train_loader)
        x, y = next(batches)
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    step += 1
    running += loss.item()
    if step % 8 == 0:
        accuracy = evaluate()
        print(f"step {step}: loss {running / 8:.4f}, accuracy {accuracy:.4f}")
        running = 0.0
        if accuracy > best:
            best = accuracy
            torch.save(model.state_dict(), "best.pt")
