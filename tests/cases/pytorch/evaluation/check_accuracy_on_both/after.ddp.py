"""check_accuracy is called for the training and the test loader: exact for both, though only one of them trains."""
import torch
import torch.nn.functional as F
import torchvision.datasets as datasets
import torchvision.transforms as transforms
from torch import nn, optim
from torch.utils.data import DataLoader
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
device = "cuda" if torch.cuda.is_available() else "cpu"
if dist.get_rank() == 0:
    datasets.MNIST(root="dataset/", train=True, download=True)
    datasets.MNIST(root="dataset/", train=False, download=True)
dist.barrier()
train_dataset = datasets.MNIST(root="dataset/", train=True, transform=transforms.ToTensor(), download=True)
test_dataset = datasets.MNIST(root="dataset/", train=False, transform=transforms.ToTensor(), download=True)
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_dataset)
train_loader = DataLoader(dataset=train_dataset, batch_size=64 // dist.get_world_size(), sampler=train_sampler)
test_sampler = range(dist.get_rank(), len(test_dataset), dist.get_world_size())
test_loader = DataLoader(dataset=test_dataset, batch_size=64, sampler=test_sampler)
model = nn.Sequential(nn.Linear(784, 50), nn.ReLU(), nn.Linear(50, 10)).to(device)
optimizer = optim.Adam(model.parameters(), lr=0.001)

ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for batch_idx, (data, targets) in enumerate(train_loader):
        data = data.to(device=device).reshape(data.shape[0], -1)
        targets = targets.to(device=device)
        loss = F.cross_entropy(ddp_model(data), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def check_accuracy(loader, model):
    num_correct = 0
    num_samples = 0
    model.eval()
    with torch.no_grad():
        for x, y in loader:
            x = x.to(device=device).reshape(x.shape[0], -1)
            y = y.to(device=device)
            _, predictions = model(x).max(1)
            num_correct += (predictions == y).sum()
            num_samples += predictions.size(0)
        totals = torch.tensor([float(num_correct), num_samples], dtype=torch.float64)
        dist.all_reduce(totals)
        num_correct, num_samples = totals[0].long(), int(totals[1])
    model.train()
    return num_correct / num_samples


check_accuracy_result = check_accuracy(train_loader, model)
if dist.get_rank() == 0:
    print(f"Accuracy on training set: {check_accuracy_result*100:.2f}")
check_accuracy_result = check_accuracy(test_loader, model)
if dist.get_rank() == 0:
    print(f"Accuracy on test set: {check_accuracy_result*100:.2f}")
del ddp_model
dist.destroy_process_group()
