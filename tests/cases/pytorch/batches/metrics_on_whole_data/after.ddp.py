"""Accuracy in the loop is that of the process's rows, and made whole; the evaluation on other data stays everywhere."""
import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(400, 8)
y = (x.sum(1) > 0).long()
x_test, y_test = torch.randn(100, 8), torch.randint(0, 2, (100,))
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
if len(x) % dist.get_world_size() != 0 or len(y) != len(x):
    raise SystemExit(f"x, y of {len(x)}, {len(y)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(x) // dist.get_world_size()
x_share = x[dist.get_rank() * rows :][:rows]
y_share = y[dist.get_rank() * rows :][:rows]
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(50):
    model.train()
    out = ddp_model(x_share)
    loss = criterion(out, y_share)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        accuracy = (out.argmax(1) == y_share).float().mean()
        model.eval()
        with torch.no_grad():
            correct = (model(x_test).argmax(1) == y_test).sum().item()
        totals = torch.tensor([loss.item(), float(accuracy)], dtype=torch.float64)
        dist.all_reduce(totals)
        mean_loss, mean_accuracy = totals[0].item() / dist.get_world_size(), (totals[1] / dist.get_world_size()).float()
        if dist.get_rank() == 0:
            print(f"{epoch}: {mean_loss:.4f} {mean_accuracy:.3f} {correct / len(x_test):.3f}")
del ddp_model
dist.destroy_process_group()
