"""The evaluation function is decorated with @torch.no_grad(): sums are reduced before it returns."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    correct = 0
    for x, y in loader:
        correct += (model(x.to(device)).argmax(-1) == y.to(device)).sum().item()
    total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
    correct = int(total)
    return correct / len(loader.dataset)


def main():
    train_data = TensorDataset(torch.randn(640, 3), torch.randint(0, 2, (640,)))
    if 64 % hvd.size() != 0:
        raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
    train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
    train = DataLoader(train_data, batch_size=64 // hvd.size(), sampler=train_sampler)
    val_data = TensorDataset(torch.randn(65, 3), torch.randint(0, 2, (65,)))
    val_sampler = range(hvd.rank(), len(val_data), hvd.size())
    val = DataLoader(val_data, batch_size=64, sampler=val_sampler)
    model = nn.Linear(3, 2).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for epoch in range(3):
        model.train()
        train.sampler.set_epoch(epoch)
        for x, y in train:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x.to(device)), y.to(device)).backward()
            optimizer.step()
        evaluate_result = evaluate(model, val)
        if hvd.rank() == 0:
            print(f"epoch {epoch}: {evaluate_result:.3f}")


if __name__ == "__main__":
    hvd.init()
    if torch.cuda.is_available():
        torch.cuda.set_device(hvd.local_rank())
    seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
    torch.manual_seed(seed)
    main()
    hvd.shutdown()
