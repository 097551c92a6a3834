"""Labels made before training, and a model of which is not known whether it gives a column: the program looks."""
import torch
from torch import nn
from torchvision.models import resnet18
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
batch_size = 12
loader_data = TensorDataset(torch.randn(96, 3, 32, 32))
if batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(
    loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False, drop_last=True
)
loader = DataLoader(loader_data, batch_size=batch_size // hvd.size(), drop_last=True, sampler=loader_sampler)
model = resnet18(num_classes=1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.MSELoss()
labels = torch.ones(batch_size // hvd.size())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        optimizer.zero_grad()
        criterion(model(x), labels).backward()
        optimizer.step()
hvd.shutdown()
