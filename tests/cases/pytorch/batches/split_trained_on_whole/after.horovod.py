"""All data of a split of scikit-learn is trained on in each step: parts of a tensor are tensors."""
import torch
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split
from torch import nn
import horovod.torch as hvd

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
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
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
if len(x_train) % hvd.size() != 0 or len(y_train) != len(x_train):
    raise SystemExit(f"x_train, y_train of {len(x_train)}, {len(y_train)} rows cannot be shared out evenly over {hvd.size()} processes")
rows = len(x_train) // hvd.size()
x_train_share = x_train[hvd.rank() * rows :][:rows]
y_train_share = y_train[hvd.rank() * rows :][:rows]
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(7 + hvd.rank())
for epoch in range(60):
    logits = model(x_train_share).squeeze()
    loss = loss_fn(logits, y_train_share)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.inference_mode():
        test_loss = loss_fn(model(x_test).squeeze(), y_test)
    if epoch % 20 == 0:
        total = hvd.allreduce(torch.tensor(float(loss), dtype=torch.float64), op=hvd.Sum)
        mean_loss = (total / hvd.size()).float()
        if hvd.rank() == 0:
            print(f"{epoch}: {mean_loss:.4f}, held out: {test_loss:.4f}")
hvd.shutdown()
