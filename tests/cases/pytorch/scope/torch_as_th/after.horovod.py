"""torch is imported as th and its functions by from-imports with aliases."""
import torch as th
import torch.nn as tnn
from torch.optim import SGD as GradientDescent
from torch.utils.data import DataLoader as Batches, TensorDataset as Tensors
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(th.initial_seed() % 2**63)
th.manual_seed(seed)
batches_data = Tensors(th.randn(320, 10), th.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
batches_sampler = DistributedSampler(batches_data, num_replicas=hvd.size(), rank=hvd.rank())
batches = Batches(batches_data, batch_size=32 // hvd.size(), sampler=batches_sampler)
line = tnn.Linear(10, 1)
descent = GradientDescent(line.parameters(), lr=0.01)
descent = hvd.DistributedOptimizer(descent, named_parameters=line.named_parameters())
hvd.broadcast_parameters(line.state_dict(), root_rank=0)
if hvd.rank() > 0:
    th.manual_seed(seed + hvd.rank())
for sweep in range(3):
    batches.sampler.set_epoch(sweep)
    for inputs, wanted in batches:
        descent.zero_grad()
        tnn.functional.mse_loss(line(inputs), wanted).backward()
        descent.step()
if hvd.rank() == 0:
    th.save(line.state_dict(), "line.pt")
hvd.shutdown()
