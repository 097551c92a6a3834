"""The split is drawn without a seed: all processes need the same one."""
import torch
from sklearn.model_selection import train_test_split
from torch import nn
import horovod.torch as hvd
import numpy as np

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
np.random.seed(seed % 2**32)
points = torch.randn(400, 5)
targets = points.sum(dim=1, keepdim=True)
x_train, x_test, y_train, y_test = train_test_split(points, targets, test_size=100)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
if len(x_train) % hvd.size() != 0 or len(y_train) != len(x_train):
    raise SystemExit(f"x_train, y_train of {len(x_train)}, {len(y_train)} rows cannot be shared out evenly over {hvd.size()} processes")
rows = len(x_train) // hvd.size()
x_train_share = x_train[hvd.rank() * rows :][:rows]
y_train_share = y_train[hvd.rank() * rows :][:rows]
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
    np.random.seed((seed + hvd.rank()) % 2**32)
for step in range(20):
    loss = nn.functional.mse_loss(model(x_train_share), y_train_share)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
model_result = model(x_test)
if hvd.rank() == 0:
    print(nn.functional.mse_loss(model_result, y_test).item())
hvd.shutdown()
