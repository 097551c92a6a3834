"""What is looked at has the arguments of the loader that say which samples a batch has, and how they are made."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def together(samples):
    images, labels = zip(*samples)
    return torch.stack(images), torch.stack(labels)


parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--in-order", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
data = TensorDataset(x, y)
options = {"batch_size": args.batch_size, "num_workers": 2, "pin_memory": True}
train_loader = DataLoader(data, shuffle=not args.in_order, collate_fn=together, persistent_workers=True, **options)
test_loader = DataLoader(data, args.batch_size, True)
print(next(iter(train_loader))[1].tolist(), [labels.tolist() for _, labels in [next(iter(test_loader))]])
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
for epoch in range(2):
    for xb, yb in train_loader:
        opt.zero_grad()
        loss = crit(model(xb), yb)
        loss.backward()
        opt.step()
    predictions = []
    for xb, yb in test_loader:
        predictions.append(model(xb).argmax(1))
    print(torch.cat(predictions)[:3])
