"""What a task reports by is rank 0's, like the task."""

import torch
import torch.nn.functional as F
import tensorboard_logger
from clearml import Task
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
task = Task.init(project_name="digits", task_name="train")
logger = tensorboard_logger.Logger(logdir="runs", flush_secs=2)

for epoch in range(2):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    task.get_logger().report_scalar("loss", "train", total / len(loader), epoch)
    logger.log_value("mean", total / len(loader), epoch)
