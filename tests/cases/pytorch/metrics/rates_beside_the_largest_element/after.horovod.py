"""What is true in a mask hangs on its largest element in the batch; rates of each batch are added up as numbers."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
images = torch.randn(64, 1, 8, 8)
masks = (images > 0).float() * 255
loader_data = TensorDataset(images, masks)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Conv2d(1, 1, 3, padding=1)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def accuracy(chosen, masks):
    chosen, masks = chosen > 0, masks == torch.max(masks)
    return float(torch.sum(chosen == masks)) / float(chosen.size(0) * chosen.size(2) * chosen.size(3))


def precision(chosen, masks):
    chosen, masks = chosen > 0, masks == torch.max(masks)
    return float(torch.sum(chosen & masks)) / (float(torch.sum(chosen)) + 1e-6)


def recall(chosen, masks):
    chosen, masks = chosen > 0, masks == masks.max()
    both = ((chosen == 1).int() + (masks == 1).int()) == 2
    return both.sum().item() / ((both.float() + (chosen == 0).float() * masks).sum() + 1e-6).item()


def f_score(chosen, masks):
    found, right = recall(chosen, masks), precision(chosen, masks)
    return 2 * found * right / (found + right + 1e-6)


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    hits = score = 0.0
    length = 0
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        logits = model(inputs)
        loss = criterion(logits, targets / 255)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits += accuracy(logits, targets)
        score += f_score(logits, targets)
        length += inputs.size(0)
    totals = hvd.allreduce(torch.tensor([hits, score, length], dtype=torch.float64), op=hvd.Sum)
    hits, score, length = totals[0].item() / hvd.size(), totals[1].item() / hvd.size(), int(totals[2])
    if hvd.rank() == 0:
        print(f"epoch {epoch}: {hits / length:.3f}, {score / len(loader):.3f}")
hvd.shutdown()
