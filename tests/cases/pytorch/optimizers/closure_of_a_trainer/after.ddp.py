"""A trainer whose closure is defined once for each batch; gradients are clipped in it, where they are averaged."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Trainer:
    def __init__(self, model, loader):
        self.model = model
        self.loader = loader
        self.optimizer = torch.optim.LBFGS(self.model.parameters(), max_iter=4)
        self.losses = []

    def fit(self, epochs):
        self.ddp_model = DistributedDataParallel(self.model)
        if dist.get_rank() > 0:
            torch.manual_seed(dist.get_rank())
        for epoch in range(epochs):
            self.loader.sampler.set_epoch(epoch)
            for x, y in self.loader:

                def closure():
                    self.optimizer.zero_grad()
                    loss = nn.functional.mse_loss(self.ddp_model(x), y)
                    loss.backward()
                    nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
                    total = torch.tensor(loss.item(), dtype=torch.float64)
                    dist.all_reduce(total)
                    mean_loss = total.item() / dist.get_world_size()
                    return mean_loss

                loss = self.optimizer.step(closure)
                self.losses.append(loss)
            if dist.get_rank() == 0:
                print(epoch, self.losses[-1])
        del self.ddp_model


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
trainer_data = TensorDataset(torch.randn(64, 6), torch.randn(64, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
trainer_sampler = DistributedSampler(trainer_data, shuffle=False)
trainer = Trainer(
    nn.Linear(6, 1), DataLoader(trainer_data, batch_size=32 // dist.get_world_size(), sampler=trainer_sampler)
)
trainer.fit(3)
dist.destroy_process_group()
