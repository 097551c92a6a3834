"""A loader samples the nodes around seed nodes: these come first, and each process takes its share of them."""
import copy

import torch
import torch.nn.functional as F
from torch_geometric.datasets import Reddit
from torch_geometric.loader import NeighborLoader
from torch_geometric.nn import SAGEConv
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if dist.get_rank() == 0:
    Reddit("data/Reddit")
dist.barrier()
dataset = Reddit("data/Reddit")
data = dataset[0].to(device, "x", "y")
kwargs = {"batch_size": 1024, "num_workers": 4}
train_seeds = torch.arange(data.num_nodes)[data.train_mask]
if kwargs["batch_size"] % dist.get_world_size() != 0:
    raise SystemExit(f'batch size {kwargs["batch_size"]} cannot be shared out over {dist.get_world_size()} processes')
train_sampler = DistributedSampler(train_seeds)
train_loader = NeighborLoader(
    data,
    input_nodes=data.train_mask,
    num_neighbors=[25, 10],
    sampler=train_sampler,
    **dict(kwargs, batch_size=kwargs["batch_size"] // dist.get_world_size()),
)
val_seeds = torch.arange(data.num_nodes)[data.val_mask]
val_sampler = range(dist.get_rank(), len(val_seeds), dist.get_world_size())
val_loader = NeighborLoader(data, num_neighbors=[25, 10], input_nodes=data.val_mask, sampler=val_sampler, **kwargs)
all_loader = NeighborLoader(copy.copy(data), input_nodes=None, num_neighbors=[-1], **kwargs)


class SAGE(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = torch.nn.ModuleList()
        self.convs.append(SAGEConv(dataset.num_features, 256))
        self.convs.append(SAGEConv(256, dataset.num_classes))

    def forward(self, x, edge_index):
        for number, conv in enumerate(self.convs):
            x = conv(x, edge_index)
            if number < len(self.convs) - 1:
                x = F.dropout(x.relu_(), p=0.5, training=self.training)
        return x

    @torch.no_grad()
    def inference(self, features):
        for number, conv in enumerate(self.convs):
            xs = []
            for batch in all_loader:
                x = conv(features[batch.n_id].to(device), batch.edge_index.to(device))
                x = x.relu_() if number < len(self.convs) - 1 else x
                xs.append(x[:batch.batch_size].cpu())
            features = torch.cat(xs, dim=0)
        return features


model = SAGE().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)


def train():
    model.train()
    total_loss = total_correct = total_examples = 0
    for batch in train_loader:
        optimizer.zero_grad()
        y = batch.y[:batch.batch_size]
        y_hat = ddp_model(batch.x, batch.edge_index.to(device))[:batch.batch_size]
        loss = F.cross_entropy(y_hat, y)
        loss.backward()
        optimizer.step()
        total_loss += float(loss) * batch.batch_size
        total_correct += int((y_hat.argmax(dim=-1) == y).sum())
        total_examples += batch.batch_size
    totals = torch.tensor([total_loss, total_correct, total_examples], dtype=torch.float64)
    dist.all_reduce(totals)
    total_loss, total_correct, total_examples = totals[0].item(), int(totals[1]), int(totals[2])
    return total_loss / total_examples, total_correct / total_examples


@torch.no_grad()
def validate():
    model.eval()
    correct = 0
    for batch in val_loader:
        y_hat = model(batch.x, batch.edge_index)[:batch.batch_size]
        correct += int((y_hat.argmax(dim=-1) == batch.y[:batch.batch_size]).sum())
    total = torch.tensor(correct, dtype=torch.float64)
    dist.all_reduce(total)
    correct = int(total)
    return correct / int(data.val_mask.sum())


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(1, 11):
    train_loader.sampler.set_epoch(epoch)
    loss, accuracy = train()
    validate_result = validate()
    if dist.get_rank() == 0:
        print(f"Epoch {epoch:02d}, Loss: {loss:.4f}, Train: {accuracy:.4f}, Validation: {validate_result:.4f}")
model.eval()
predicted = model.inference(data.x).argmax(dim=-1)
if dist.get_rank() == 0:
    print(f"Test: {(predicted[data.test_mask] == data.y[data.test_mask].cpu()).float().mean():.4f}")
del ddp_model
dist.destroy_process_group()
