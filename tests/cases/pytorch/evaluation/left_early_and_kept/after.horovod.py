"""A shuffled evaluation is left early, and gives a list: it now sees the first batches, whatever else keeps it whole."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
train_set = TensorDataset(torch.randn(64, 8), torch.randint(0, 4, (64,)))
test_set = TensorDataset(torch.randn(200, 8), torch.randint(0, 4, (200,)))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_set, batch_size=16 // hvd.size(), sampler=train_sampler)
test_loader = DataLoader(test_set, batch_size=16)
model = nn.Linear(8, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def evaluate(most):
    predictions = []
    with torch.no_grad():
        for i, (x, y) in enumerate(test_loader):
            predictions.append(model(x).argmax(1))
            if i >= most:
                break
    return torch.cat(predictions).float().mean().item()


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    evaluate_result = evaluate(5)
    if hvd.rank() == 0:
        print(evaluate_result)
hvd.shutdown()
