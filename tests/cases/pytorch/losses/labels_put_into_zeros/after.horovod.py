"""Labels as vectors: ones are put where they say, and a class is left out."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
data = TensorDataset(torch.randn(640, 10), torch.randint(0, 4, (640,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def to_vectors(labels, classes):
    vectors = np.zeros((labels.shape[0], classes))
    vectors[range(labels.shape[0]), labels] = 1.0
    return torch.FloatTensor(vectors)


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        targets = to_vectors(y.numpy(), 4)
        scores = torch.zeros(x.size(0), 4)
        scores[:, :] = model(x)
        scores[y == 3] = 0
        chosen = F.log_softmax(scores, dim=1)[torch.arange(len(y)), y]
        loss = F.mse_loss(scores, targets) - chosen.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
