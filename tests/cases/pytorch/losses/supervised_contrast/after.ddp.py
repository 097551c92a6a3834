"""A loss of the script's own, given features and labels, with sizes and masks of the batch."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class SupConLoss(nn.Module):
    def __init__(self, temperature=0.07):
        super().__init__()
        self.temperature = temperature

    def forward(self, features, labels=None, mask=None):
        device = features.device
        if len(features.shape) > 3:
            features = features.view(features.shape[0], features.shape[1], -1)
        batch_size = features.shape[0]
        if labels is not None and mask is not None:
            raise ValueError("Cannot define both `labels` and `mask`")
        elif labels is None and mask is None:
            mask = torch.eye(batch_size, dtype=torch.float32).to(device)
        elif labels is not None:
            labels = labels.contiguous().view(-1, 1)
            if labels.shape[0] != batch_size:
                raise ValueError("Num of labels does not match num of features")
            mask = torch.eq(labels, labels.T).float().to(device)
        else:
            mask = mask.float().to(device)
        contrast_count = features.shape[1]
        contrast_feature = torch.cat(torch.unbind(features, dim=1), dim=0)
        anchor_feature = contrast_feature
        anchor_count = contrast_count
        anchor_dot_contrast = torch.div(torch.matmul(anchor_feature, contrast_feature.T), self.temperature)
        logits_max, _ = torch.max(anchor_dot_contrast, dim=1, keepdim=True)
        logits = anchor_dot_contrast - logits_max.detach()
        mask = mask.repeat(anchor_count, contrast_count)
        logits_mask = torch.scatter(
            torch.ones_like(mask), 1, torch.arange(batch_size * anchor_count).view(-1, 1).to(device), 0
        )
        mask = mask * logits_mask
        exp_logits = torch.exp(logits) * logits_mask
        log_prob = logits - torch.log(exp_logits.sum(1, keepdim=True))
        mean_log_prob_pos = (mask * log_prob).sum(1) / mask.sum(1)
        loss = -mean_log_prob_pos
        loss = loss.view(anchor_count, batch_size).mean()
        return loss


class GatherBatch(torch.autograd.Function):
    @staticmethod
    def forward(ctx, values):
        values = values.contiguous()
        shards = [torch.empty_like(values) for _ in range(dist.get_world_size())]
        dist.all_gather(shards, values)
        return torch.stack(shards, dim=1).flatten(0, 1)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        total = gradient.contiguous().clone()
        dist.all_reduce(total)
        return total[dist.get_rank() :: dist.get_world_size()]


def gather_batch(values):
    return GatherBatch.apply(values)


def main():
    torch.manual_seed(0)
    images = torch.rand(1797, 64)
    labels = torch.randint(10, (1797,))
    loader_data = TensorDataset(images, images.flip(1), labels)
    if 64 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data, drop_last=True)
    loader = DataLoader(loader_data, batch_size=64 // dist.get_world_size(), sampler=loader_sampler, drop_last=True)
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 16))
    criterion = SupConLoss(temperature=0.5)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for first, second, target in loader:
            f1 = F.normalize(ddp_model(first), dim=1)
            f2 = F.normalize(ddp_model(second), dim=1)
            features = torch.cat([f1.unsqueeze(1), f2.unsqueeze(1)], dim=1)
            loss = criterion(gather_batch(features), gather_batch(target))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(epoch, loss.item())


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
main()
dist.destroy_process_group()
