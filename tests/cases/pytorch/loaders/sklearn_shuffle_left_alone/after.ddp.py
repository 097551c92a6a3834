"""shuffle=True and batch_size= of scikit-learn's functions are left alone; the split has a seed and stays as it is."""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.decomposition import MiniBatchDictionaryLearning
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
X, y = load_digits(return_X_y=True)
codes = MiniBatchDictionaryLearning(n_components=16, batch_size=64, shuffle=True, max_iter=5, random_state=0).fit_transform(X / 16)
X_train, X_test, y_train, y_test = train_test_split(codes, y, test_size=0.2, shuffle=True, random_state=42)

train = TensorDataset(torch.tensor(X_train).float(), torch.tensor(y_train))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(train, batch_size=64 // dist.get_world_size(), sampler=DistributedSampler(train))
model = nn.Linear(16, 10)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
for epoch in range(10):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(xb), yb).backward()
        optimizer.step()
with torch.no_grad():
    predicted = model(torch.tensor(X_test).float()).argmax(1)
if dist.get_rank() == 0:
    print("test accuracy", (predicted == torch.tensor(y_test)).float().mean().item())
del ddp_model
dist.destroy_process_group()
