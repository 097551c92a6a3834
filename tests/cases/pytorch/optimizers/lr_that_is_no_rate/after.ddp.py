"""lr is a LogisticRegression and learning_rate an argument of a boosting model: neither is the optimizer's rate."""
import torch
import torch.nn as nn
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
X, y = load_breast_cancer(return_X_y=True)
X = X / X.max(axis=0)
lr = LogisticRegression(max_iter=500)
lr.fit(X, y)
boost = GradientBoostingClassifier(learning_rate=0.1, n_estimators=10).fit(X, y)
if dist.get_rank() == 0:
    print("baselines", lr.score(X, y), boost.score(X, y))

loader_data = TensorDataset(torch.tensor(X).float(), torch.tensor(y))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(X.shape[1], 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
ddp_model = DistributedDataParallel(model)
for epoch in range(10):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(xb), yb).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
