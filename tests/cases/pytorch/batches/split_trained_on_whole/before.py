"""All data of a split of scikit-learn is trained on in each step: parts of a tensor are tensors."""
import torch
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split
from torch import nn

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
for epoch in range(60):
    logits = model(x_train).squeeze()
    loss = loss_fn(logits, y_train)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.inference_mode():
        test_loss = loss_fn(model(x_test).squeeze(), y_test)
    if epoch % 20 == 0:
        print(f"{epoch}: {loss:.4f}, held out: {test_loss:.4f}")
