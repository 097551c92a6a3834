"""lr is a LogisticRegression and learning_rate an argument of a boosting model: neither is the optimizer's rate."""
import torch
import torch.nn as nn
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
X, y = load_breast_cancer(return_X_y=True)
X = X / X.max(axis=0)
lr = LogisticRegression(max_iter=500)
lr.fit(X, y)
boost = GradientBoostingClassifier(learning_rate=0.1, n_estimators=10).fit(X, y)
if hvd.rank() == 0:
    print("baselines", lr.score(X, y), boost.score(X, y))

loader_data = TensorDataset(torch.tensor(X).float(), torch.tensor(y))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(X.shape[1], 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(10):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(xb), yb).backward()
        optimizer.step()
hvd.shutdown()
