"""Accuracy in the loop is that of the process's rows, and made whole; the evaluation on other data stays everywhere."""
import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
x = torch.randn(400, 8)
y = (x.sum(1) > 0).long()
x_test, y_test = torch.randn(100, 8), torch.randint(0, 2, (100,))
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
if len(x) % hvd.size() != 0 or len(y) != len(x):
    raise SystemExit(f"x, y of {len(x)}, {len(y)} rows cannot be shared out evenly over {hvd.size()} processes")
rows = len(x) // hvd.size()
x_share = x[hvd.rank() * rows :][:rows]
y_share = y[hvd.rank() * rows :][:rows]
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(50):
    model.train()
    out = model(x_share)
    loss = criterion(out, y_share)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        accuracy = (out.argmax(1) == y_share).float().mean()
        model.eval()
        with torch.no_grad():
            correct = (model(x_test).argmax(1) == y_test).sum().item()
        totals = hvd.allreduce(torch.tensor([loss.item(), float(accuracy)], dtype=torch.float64), op=hvd.Sum)
        mean_loss, mean_accuracy = totals[0].item() / hvd.size(), (totals[1] / hvd.size()).float()
        if hvd.rank() == 0:
            print(f"{epoch}: {mean_loss:.4f} {mean_accuracy:.3f} {correct / len(x_test):.3f}")
hvd.shutdown()
