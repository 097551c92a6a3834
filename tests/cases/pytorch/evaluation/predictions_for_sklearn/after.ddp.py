"""Predictions go into lists for f1_score: every process evaluates everything, the report is printed once."""
import torch
import torch.nn as nn
from sklearn.datasets import load_wine
from sklearn.metrics import classification_report, f1_score
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
X, y = load_wine(return_X_y=True)
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.25, random_state=3)
train_data = TensorDataset(torch.tensor(X_tr).float(), torch.tensor(y_tr))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
test_loader = DataLoader(TensorDataset(torch.tensor(X_te).float(), torch.tensor(y_te)), batch_size=16)
model = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)

ddp_model = DistributedDataParallel(model)
for epoch in range(20):
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(inputs), labels).backward()
        optimizer.step()

all_preds, all_labels = [], []
model.eval()
with torch.no_grad():
    for inputs, labels in test_loader:
        preds = model(inputs).argmax(dim=1)
        all_preds.extend(preds.cpu().numpy())
        all_labels.extend(labels.cpu().numpy())
if dist.get_rank() == 0:
    print("F1:", f1_score(all_labels, all_preds, average="macro"))
    print(classification_report(all_labels, all_preds))
del ddp_model
dist.destroy_process_group()
