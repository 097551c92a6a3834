"""Hooks count what layers make of one made-up input, and are removed by the function that has registered them."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def describe(network, example):
    rows = []
    handles = []
    seen = {}

    def watch(part):
        def note(module, given, made):
            kind = module.__class__.__name__
            seen[kind] = seen.get(kind, 0) + 1
            rows.append((kind, list(given[0].size()), list(made.size())))

        if not isinstance(part, nn.Sequential):
            handles.append(part.register_forward_hook(note))

    network.eval()
    network.apply(watch)
    with torch.no_grad():
        network(example)
    for handle in handles:
        handle.remove()
    text = ""
    for kind, taken, made in rows:
        text += "{}: {} -> {}\n".format(kind, taken, made)
    return text


def first_layer(network, example):
    sizes = []

    def note(module, given, made):
        sizes.append(made.shape)

    handle = network[0].register_forward_hook(note)
    network(example)
    handle.remove()
    return sizes


hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=64 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
describe_result = describe(model, torch.rand(1, 8))
if hvd.rank() == 0:
    print(describe_result)
first_layer_result = first_layer(model, torch.rand(1, 8))
if hvd.rank() == 0:
    print(first_layer_result)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
model.train()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
