"""All data of a split of scikit-learn is trained on in each step: parts of a tensor are tensors."""
import torch
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
points, labels = make_moons(n_samples=400, noise=0.1, random_state=7)
points = torch.from_numpy(points).type(torch.float)
labels = torch.from_numpy(labels).type(torch.float)
x_train, x_test, y_train, y_test = train_test_split(points, labels, test_size=0.25, random_state=7)
device = "cuda" if torch.cuda.is_available() else "cpu"
x_train, y_train = x_train.to(device), y_train.to(device)
x_test, y_test = x_test.to(device), y_test.to(device)

torch.manual_seed(7)
model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
loss_fn = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
if len(x_train) % dist.get_world_size() != 0 or len(y_train) != len(x_train):
    raise SystemExit(f"x_train, y_train of {len(x_train)}, {len(y_train)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(x_train) // dist.get_world_size()
x_train_share = x_train[dist.get_rank() * rows :][:rows]
y_train_share = y_train[dist.get_rank() * rows :][:rows]
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(7 + dist.get_rank())
for epoch in range(60):
    logits = ddp_model(x_train_share).squeeze()
    loss = loss_fn(logits, y_train_share)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.inference_mode():
        test_loss = loss_fn(model(x_test).squeeze(), y_test)
    if epoch % 20 == 0:
        total = torch.tensor(float(loss), dtype=torch.float64)
        dist.all_reduce(total)
        mean_loss = (total / dist.get_world_size()).float()
        if dist.get_rank() == 0:
            print(f"{epoch}: {mean_loss:.4f}, held out: {test_loss:.4f}")
del ddp_model
dist.destroy_process_group()
