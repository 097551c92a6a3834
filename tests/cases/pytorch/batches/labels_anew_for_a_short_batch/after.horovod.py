"""Labels of the batch size are made before each epoch, and anew for a last batch that is shorter."""
import torch
from torch import nn
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
batch_size = 16
loader_data = TensorDataset(torch.randn(104, 6))
if batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(loader_data) - 1) % batch_size < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and squeeze() would drop the dimension of the samples: use drop_last=True")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=batch_size // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(6, 1), nn.Sigmoid())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.BCELoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    real = torch.ones(batch_size // hvd.size())
    fake = torch.zeros(batch_size // hvd.size())
    real, fake = Variable(real), Variable(fake)
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        mini_batch = x.size()[0]
        total = hvd.allreduce(torch.tensor(mini_batch, dtype=torch.float64), op=hvd.Sum)
        total_mini_batch = int(total)
        if total_mini_batch != batch_size:
            real = torch.ones(mini_batch)
            fake = torch.zeros(mini_batch)
            real, fake = Variable(real), Variable(fake)
        optimizer.zero_grad()
        noise = torch.randn(mini_batch, 6)
        loss = criterion(model(x).squeeze(), real) + criterion(model(noise).squeeze(), fake)
        loss.backward()
        optimizer.step()
hvd.shutdown()
