from datasets import load_dataset
from torch.utils.data import DataLoader
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def make_loader():
    dataset = load_dataset("ag_news", split="train").with_format("torch", columns=["label"])
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    return DataLoader(dataset, batch_size=32 // hvd.size(), sampler=DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank()))
