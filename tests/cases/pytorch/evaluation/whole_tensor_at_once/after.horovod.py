"""The test set is one tensor, evaluated without a loader: left as it is on every process, printed once."""
import torch
import torch.nn as nn
from sklearn.datasets import make_moons
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
X, y = make_moons(1200, noise=0.2, random_state=0)
X, y = torch.tensor(X).float(), torch.tensor(y)
loader_data = TensorDataset(X[:1000], y[:1000])
if 50 % hvd.size() != 0:
    raise SystemExit(f"batch size 50 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=50 // hvd.size(), sampler=loader_sampler)
test_x, test_y = X[1000:], y[1000:]
net = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())

hvd.broadcast_parameters(net.state_dict(), root_rank=0)
for epoch in range(10):
    loader.sampler.set_epoch(epoch)
    for step, (b_x, b_y) in enumerate(loader):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(b_x), b_y)
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            pred_y = torch.max(net(test_x), 1)[1]
            accuracy = (pred_y == test_y).float().mean()
            if hvd.rank() == 0:
                print('Epoch: ', epoch, '| test accuracy: %.2f' % accuracy)
hvd.shutdown()
