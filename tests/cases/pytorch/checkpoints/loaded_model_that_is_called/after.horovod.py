"""A whole model is loaded under another name and called: it goes to each process's own GPU; weights go to the CPU."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
torch.manual_seed(0)
x = torch.randn(320, 6)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs.cuda()), labels.cuda()).backward()
        optimizer.step()
if hvd.rank() == 0:
    torch.save(model, "model.pt")
    torch.save(model.state_dict(), "weights.pt")
hvd.barrier()
kept = torch.load(
    "model.pt",
    weights_only=False,
    map_location=(lambda storage, place: storage.cuda() if place.startswith("cuda") else storage),
)
kept_result = kept(x.cuda())
if hvd.rank() == 0:
    print(kept_result.sum().item())
tested = torch.load("model.pt", weights_only=False, map_location=(lambda storage, place: storage.cuda() if place.startswith("cuda") else storage)).eval()
weights = torch.load("weights.pt", map_location="cpu")
model.load_state_dict(weights)
if hvd.rank() == 0:
    print(sorted(weights), tested)
hvd.shutdown()
