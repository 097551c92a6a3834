"""An estimator is fed batch by batch: it has to see all of them, so every process evaluates all."""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.linear_model import SGDClassifier
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
digits = load_digits()
X = torch.tensor(digits.data).float() / 16
y = torch.tensor(digits.target)
train_data = TensorDataset(X[:1500], y[:1500])
if 50 % hvd.size() != 0:
    raise SystemExit(f"batch size 50 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=50 // hvd.size(), sampler=train_sampler)
test_loader = DataLoader(TensorDataset(X[1500:], y[1500:]), batch_size=100)

model = nn.Linear(64, 10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

probe = SGDClassifier(random_state=0)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for inputs, labels in test_loader:
            predicted = model(inputs).argmax(1)
            correct += (predicted == labels).sum().item()
            probe.partial_fit(model(inputs).numpy(), labels.numpy(), range(10))
    if hvd.rank() == 0:
        print(epoch, correct / len(test_loader.dataset), probe.score(X, y))
hvd.shutdown()
