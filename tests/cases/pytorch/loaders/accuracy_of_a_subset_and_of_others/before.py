"""Accuracy of the training data, drawn by a sampler, and of held-out data by one function that sums up."""
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset


def compute_accuracy(model, data_loader):
    correct_pred, num_examples = 0, 0
    cross_entropy = 0.0
    for features, targets in data_loader:
        logits = model(features)
        cross_entropy += F.cross_entropy(logits, targets).item()
        num_examples += targets.size(0)
        correct_pred += (torch.argmax(logits, 1) == targets).sum()
    return correct_pred.float() / num_examples * 100, cross_entropy / num_examples


torch.manual_seed(1)
x, y = torch.randn(200, 10), torch.randint(0, 3, (200,))
train_sampler = SubsetRandomSampler(torch.arange(40, 200))
train_loader = DataLoader(TensorDataset(x, y), batch_size=16, sampler=train_sampler)
test_loader = DataLoader(TensorDataset(x[:40], y[:40]), batch_size=16)
model = torch.nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    model.train()
    for features, targets in train_loader:
        cost = F.cross_entropy(model(features), targets)
        optimizer.zero_grad()
        cost.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        train_acc, train_loss = compute_accuracy(model, train_loader)
        test_acc, test_loss = compute_accuracy(model, test_loader)
    print(f"train {train_acc:.4f} {train_loss:.4f} test {test_acc:.4f} {test_loss:.4f}")
