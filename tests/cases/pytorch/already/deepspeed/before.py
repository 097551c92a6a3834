"""Already distributed with DeepSpeed."""
import argparse
import deepspeed
import torch
import torch.nn as nn
from torch.utils.data import TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, default=-1)
parser = deepspeed.add_config_arguments(parser)
args = parser.parse_args()
net = nn.Linear(10, 1)
data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
engine, optimizer, loader, _ = deepspeed.initialize(args=args, model=net, model_parameters=net.parameters(), training_data=data)
for x, y in loader:
    loss = nn.functional.mse_loss(engine(x.to(engine.device)), y.to(engine.device))
    engine.backward(loss)
    engine.step()
