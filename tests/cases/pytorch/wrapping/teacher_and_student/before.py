"""Distillation: the teacher is evaluated only, the student is trained by the one optimizer; only the student is wrapped."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(400, 10), torch.randint(0, 3, (400,))), batch_size=40, shuffle=True)
teacher = nn.Sequential(nn.Linear(10, 100), nn.ReLU(), nn.Linear(100, 3))
teacher.load_state_dict(torch.load("teacher.pt", map_location="cpu"))
teacher.eval()
student = nn.Linear(10, 3)
optimizer = torch.optim.Adam(student.parameters(), lr=0.001)
T = 4.0
for epoch in range(5):
    for x, y in loader:
        with torch.no_grad():
            soft = F.softmax(teacher(x) / T, dim=1)
        logits = student(x)
        loss = F.cross_entropy(logits, y) + F.kl_div(F.log_softmax(logits / T, dim=1), soft, reduction='batchmean') * T * T
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
torch.save(student.state_dict(), "student.pt")
