"""The evaluation function is decorated with @torch.no_grad(): sums are reduced before it returns."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    correct = 0
    for x, y in loader:
        correct += (model(x.to(device)).argmax(-1) == y.to(device)).sum().item()
    total = torch.tensor(correct, dtype=torch.float64)
    dist.all_reduce(total)
    correct = int(total)
    return correct / len(loader.dataset)


def main():
    train_data = TensorDataset(torch.randn(640, 3), torch.randint(0, 2, (640,)))
    if 64 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
    train_sampler = DistributedSampler(train_data)
    train = DataLoader(train_data, batch_size=64 // dist.get_world_size(), sampler=train_sampler)
    val_data = TensorDataset(torch.randn(65, 3), torch.randint(0, 2, (65,)))
    val_sampler = range(dist.get_rank(), len(val_data), dist.get_world_size())
    val = DataLoader(val_data, batch_size=64, sampler=val_sampler)
    model = nn.Linear(3, 2).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    for epoch in range(3):
        model.train()
        train.sampler.set_epoch(epoch)
        for x, y in train:
            optimizer.zero_grad()
            nn.functional.cross_entropy(ddp_model(x.to(device)), y.to(device)).backward()
            optimizer.step()
        evaluate_result = evaluate(model, val)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {evaluate_result:.3f}")


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    seed = torch.tensor(torch.initial_seed() % 2**63)
    dist.broadcast(seed, src=0)
    seed = seed.item()
    torch.manual_seed(seed)
    main()
    dist.destroy_process_group()
