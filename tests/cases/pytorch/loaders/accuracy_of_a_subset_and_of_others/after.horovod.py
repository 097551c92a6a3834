"""Accuracy of the training data, drawn by a sampler, and of held-out data by one function that sums up."""
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset
import horovod.torch as hvd
from torch.utils.data import Sampler


def compute_accuracy(model, data_loader):
    correct_pred, num_examples = 0, 0
    cross_entropy = 0.0
    for features, targets in data_loader:
        logits = model(features)
        cross_entropy += F.cross_entropy(logits, targets).item()
        num_examples += targets.size(0)
        correct_pred += (torch.argmax(logits, 1) == targets).sum()
    if isinstance(data_loader.sampler, SharedSampler):
        totals = hvd.allreduce(
            torch.tensor([float(correct_pred), num_examples, cross_entropy], dtype=torch.float64), op=hvd.Sum
        )
        correct_pred, num_examples, cross_entropy = totals[0].long(), int(totals[1]), totals[2].item() / hvd.size()
    return correct_pred.float() / num_examples * 100, cross_entropy / num_examples


hvd.init()
torch.manual_seed(1)
x, y = torch.randn(200, 10), torch.randint(0, 3, (200,))
train_sampler = SubsetRandomSampler(torch.arange(40, 200))


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_loader = DataLoader(TensorDataset(x, y), batch_size=16 // hvd.size(), sampler=SharedSampler(train_sampler))
test_loader = DataLoader(TensorDataset(x[:40], y[:40]), batch_size=16)
model = torch.nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(1 + hvd.rank())
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
    if hvd.rank() == 0:
        print(f"train {train_acc:.4f} {train_loss:.4f} test {test_acc:.4f} {test_loss:.4f}")
hvd.shutdown()
