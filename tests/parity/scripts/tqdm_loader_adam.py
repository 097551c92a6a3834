"""Progress bars around the loaders with the loss in them; Adam; device literal."""
import torch
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

torch.manual_seed(5)
device = 'cuda:0' if torch.cuda.is_available() else 'cpu'

wine = load_wine()
x = torch.tensor(StandardScaler().fit_transform(wine.data), dtype=torch.float32)
y = torch.tensor(wine.target)
train_loader = DataLoader(TensorDataset(x[::2], y[::2]), batch_size=16, shuffle=True)
test_loader = DataLoader(TensorDataset(x[1::2], y[1::2]), batch_size=16)

model = nn.Sequential(nn.Linear(13, 24), nn.ReLU(), nn.Linear(24, 3)).to(device)
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)

for epoch in range(3):
    model.train()
    bar = tqdm(train_loader, desc=f'epoch {epoch}')
    for inputs, targets in bar:
        inputs, targets = inputs.to(device), targets.to(device)
        optimizer.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        optimizer.step()
        bar.set_postfix(loss=loss.item())

    model.eval()
    hits = 0
    for inputs, targets in tqdm(test_loader, desc='test'):
        with torch.no_grad():
            hits += (model(inputs.to(device)).argmax(1).cpu() == targets).sum().item()
    print(f'epoch {epoch}: accuracy {hits / len(test_loader.dataset):.4f}')
