"""Layers that leave some nodes of each graph tell the graphs of those that are left."""
import torch
import torch.nn.functional as F
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GraphConv, SAGPooling, TopKPooling, global_max_pool, global_mean_pool
from torch_geometric.utils import scatter
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
if dist.get_rank() == 0:
    TUDataset("data", name="PROTEINS")
dist.barrier()
dataset = TUDataset("data", name="PROTEINS").shuffle()
if 60 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 60 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(dataset[100:])
train_loader = DataLoader(dataset[100:], batch_size=60 // dist.get_world_size(), sampler=train_sampler)
test_sampler = range(dist.get_rank(), len(dataset[:100]), dist.get_world_size())
test_loader = DataLoader(dataset[:100], batch_size=60, sampler=test_sampler)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = GraphConv(dataset.num_features, 64)
        self.pool1 = TopKPooling(64, ratio=0.8)
        self.conv2 = GraphConv(64, 64)
        self.pool2 = SAGPooling(64, min_score=0.01)
        self.out = torch.nn.Linear(128, dataset.num_classes)

    def forward(self, data):
        x, edge_index, batch = data.x, data.edge_index, data.batch
        x = F.relu(self.conv1(x, edge_index))
        x, edge_index, _, batch, perm, score = self.pool1(x, edge_index, None, batch)
        attention = scatter(score * data.x[perm, 0], batch, reduce="mean")
        x = F.relu(self.conv2(x, edge_index))
        x, edge_index, _, batch, _, _ = self.pool2(x, edge_index, batch=batch)
        x = torch.cat([global_max_pool(x, batch), global_mean_pool(x, batch)], dim=1)
        return F.log_softmax(self.out(x), dim=-1), attention


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)


def train():
    model.train()
    total = 0
    for data in train_loader:
        optimizer.zero_grad()
        output, attention = ddp_model(data)
        loss = F.nll_loss(output, data.y) + 0.1 * attention.mean()
        loss.backward()
        optimizer.step()
        total += loss.item() * data.num_graphs
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item()
    return total / train_loader.sampler.total_size


def test():
    model.eval()
    correct = 0
    for data in test_loader:
        correct += model(data)[0].argmax(dim=1).eq(data.y).sum().item()
    total_ = torch.tensor(correct, dtype=torch.float64)
    dist.all_reduce(total_)
    correct = int(total_)
    return correct / len(test_loader.dataset)


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(1, 51):
    train_loader.sampler.set_epoch(epoch)
    train_result = train()
    test_result = test()
    if dist.get_rank() == 0:
        print(f"Epoch: {epoch:03d}, Loss: {train_result:.4f}, Test: {test_result:.4f}")
del ddp_model
dist.destroy_process_group()
