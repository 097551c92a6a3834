"""examples/pytorch/dense_500.py for DistributedDataParallel, written by hand: the yardstick."""

import os

import torch
import torch.distributed as dist
import torch.distributed.nn  # before the group is made, so that it ends
from sklearn.datasets import make_classification
from torch import nn, optim
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

EPOCHS = 12
BATCH_SIZE = 64
LEARNING_RATE = 0.01


def make_data(n_train=8000, n_test=2000):
    """500 features, of which 40 tell the two classes apart."""
    x, y = make_classification(
        n_samples=n_train + n_test, n_features=500, n_informative=40, n_redundant=60,
        n_clusters_per_class=2, class_sep=1.5, random_state=7,
    )
    x = torch.tensor(x, dtype=torch.float32)
    y = torch.tensor(y)
    x = (x - x[:n_train].mean(0)) / x[:n_train].std(0)
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])


def train_one_epoch(model, loader, criterion, optimizer, device):
    """One pass over the training data; returns mean loss and accuracy."""
    model.train()
    total_loss, correct, total = 0.0, 0, 0
    for inputs, targets in loader:
        inputs, targets = inputs.to(device), targets.to(device)
        outputs = model(inputs)
        loss = criterion(outputs, targets)

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        total_loss += loss.item() * targets.size(0)
        correct += (outputs.argmax(1) == targets).sum().item()
        total += targets.size(0)
    return averages(total_loss, correct, total, device)


@torch.no_grad()
def evaluate(model, loader, criterion, device):
    """Mean loss and accuracy over all of the loader's samples."""
    model.eval()
    total_loss, correct, total = 0.0, 0, 0
    for inputs, targets in loader:
        inputs, targets = inputs.to(device), targets.to(device)
        outputs = model(inputs)
        total_loss += criterion(outputs, targets).item() * targets.size(0)
        correct += (outputs.argmax(1) == targets).sum().item()
        total += targets.size(0)
    return averages(total_loss, correct, total, device)


def averages(total_loss, correct, total, device):
    """Mean loss and accuracy over the samples of all processes."""
    sums = torch.tensor([total_loss, correct, total], dtype=torch.float64, device=device)
    dist.all_reduce(sums)
    total_loss, correct, total = sums.tolist()
    return total_loss / total, correct / total


if __name__ == "__main__":
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    assert BATCH_SIZE % world_size == 0, "the batch size must be a multiple of the number of processes"
    torch.manual_seed(42)
    device = "cuda" if torch.cuda.is_available() else "cpu"

    train_set, test_set = make_data()
    sampler = DistributedSampler(train_set, shuffle=True)
    train_loader = DataLoader(train_set, batch_size=BATCH_SIZE // world_size, sampler=sampler)
    test_loader = DataLoader(test_set, batch_size=500, sampler=range(rank, len(test_set), world_size))

    model = nn.Sequential(
        nn.Linear(500, 256), nn.ReLU(),
        nn.Linear(256, 128), nn.ReLU(),
        nn.Linear(128, 64), nn.ReLU(),
        nn.Linear(64, 2),
    ).to(device)
    ddp_model = DistributedDataParallel(model)
    if rank == 0:
        print(f"{sum(p.numel() for p in model.parameters()):,} parameters")

    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=LEARNING_RATE)

    for epoch in range(1, EPOCHS + 1):
        sampler.set_epoch(epoch)
        train_loss, train_acc = train_one_epoch(ddp_model, train_loader, criterion, optimizer, device)
        test_loss, test_acc = evaluate(model, test_loader, criterion, device)
        if rank == 0:
            print(f"epoch {epoch:2d}: train loss {train_loss:.4f} acc {train_acc:.4f} | "
                  f"test loss {test_loss:.4f} acc {test_acc:.4f}")

    del ddp_model
    dist.destroy_process_group()
