"""Mixup: each sample is mixed with another one of its batch, which a permutation picks, and the labels likewise."""
import numpy as np
import torch
import torch.nn as nn
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def mixup_data(x, y, alpha):
    lam = np.random.beta(alpha, alpha) if alpha > 0 else 1
    index = torch.randperm(x.size()[0]).to(x.device)
    return lam * x + (1 - lam) * x[index, :], y, y[index], lam


def mixup_criterion(criterion, pred, y_a, y_b, lam):
    return lam * criterion(pred, y_a) + (1 - lam) * criterion(pred, y_b)


hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
torch.manual_seed(0)
np.random.seed(0)
loader_data = TensorDataset(torch.randn(96, 16), torch.randint(0, 4, (96,)))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
net = nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 4))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
    np.random.seed(hvd.rank())
for epoch in range(2):
    total, correct, seen = 0.0, 0.0, 0
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        inputs, targets_a, targets_b, lam = mixup_data(inputs, targets, 1.0)
        inputs, targets_a, targets_b = map(Variable, (inputs, targets_a, targets_b))
        outputs = net(inputs)
        loss = mixup_criterion(criterion, outputs, targets_a, targets_b, lam)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        predicted = outputs.argmax(1)
        seen += targets.size(0)
        correct += (lam * predicted.eq(targets_a).cpu().sum().float()
                    + (1 - lam) * predicted.eq(targets_b).cpu().sum().float())
    totals = hvd.allreduce(torch.tensor([total, seen], dtype=torch.float64), op=hvd.Sum)
    total, seen = totals[0].item() / hvd.size(), int(totals[1])
    total_correct = hvd.allreduce(correct.detach().clone().double(), op=hvd.Sum)
    correct = total_correct.to(correct.dtype)
    if hvd.rank() == 0:
        print(f"epoch {epoch}: loss {total / len(loader):.4f}, accuracy {100. * correct / seen:.2f}")
hvd.shutdown()
