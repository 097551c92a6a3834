"""lr is a LogisticRegression and learning_rate an argument of a boosting model: neither is the optimizer's rate."""
import torch
import torch.nn as nn
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from torch.utils.data import DataLoader, TensorDataset

X, y = load_breast_cancer(return_X_y=True)
X = X / X.max(axis=0)
lr = LogisticRegression(max_iter=500)
lr.fit(X, y)
boost = GradientBoostingClassifier(learning_rate=0.1, n_estimators=10).fit(X, y)
print("baselines", lr.score(X, y), boost.score(X, y))

loader = DataLoader(TensorDataset(torch.tensor(X).float(), torch.tensor(y)), batch_size=32, shuffle=True)
model = nn.Linear(X.shape[1], 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for epoch in range(10):
    for xb, yb in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(xb), yb).backward()
        optimizer.step()
