"""drop_last of the training loader must also reach the sampler, or the number of steps is wrong."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
X, y = load_breast_cancer(return_X_y=True)
X = StandardScaler().fit_transform(X)
dataset = TensorDataset(torch.tensor(X, dtype=torch.float32), torch.tensor(y, dtype=torch.float32))
if 40 % hvd.size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank(), drop_last=True)
loader = DataLoader(dataset, batch_size=40 // hvd.size(), sampler=loader_sampler, drop_last=True)

model = nn.Sequential(nn.Linear(30, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.RMSprop(model.parameters(), lr=0.001)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(15):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        out = model(xb).squeeze(1)
        loss = criterion(out, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
