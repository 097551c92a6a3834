"""Two modules with one optimizer over a list of their parameters: both are wrapped (ddp) or named (horovod)."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(256, 30), torch.randint(0, 6, (256,)))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
encoder = nn.Sequential(nn.Linear(30, 12), nn.ReLU())
decoder = nn.Linear(12, 6)
params = list(encoder.parameters()) + list(decoder.parameters())
optimizer = torch.optim.Adam(params, lr=0.001)
optimizer = hvd.DistributedOptimizer(optimizer)
criterion = nn.CrossEntropyLoss()

hvd.broadcast_parameters(encoder.state_dict(), root_rank=0)
hvd.broadcast_parameters(decoder.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    for i, (images, captions) in enumerate(loader):
        features = encoder(images)
        outputs = decoder(features)
        loss = criterion(outputs, captions)
        encoder.zero_grad()
        decoder.zero_grad()
        loss.backward()
        optimizer.step()
if hvd.rank() == 0:
    torch.save(encoder.state_dict(), 'encoder.ckpt')
    torch.save(decoder.state_dict(), 'decoder.ckpt')
hvd.shutdown()
