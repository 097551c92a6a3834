"""A mean over tokens is weighed by the number of labels of each process, with an adapter in the model."""

import torch
from datasets import load_dataset
from peft import LoraConfig, get_peft_model
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, AutoTokenizer, default_data_collator
import datasets
import numpy as np
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
if dist.get_rank() != 0:
    datasets.disable_progress_bars()
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
np.random.seed(seed % 2**32)
tokenizer = AutoTokenizer.from_pretrained("gpt2")
model = get_peft_model(AutoModelForCausalLM.from_pretrained("gpt2"), LoraConfig(task_type="CAUSAL_LM", r=8))
if dist.get_rank() == 0:
    model.print_trainable_parameters()
data = load_dataset("text", data_files="lines.txt")["train"].train_test_split(test_size=0.1)
data = data.map(lambda each: tokenizer(each["text"], padding="max_length", max_length=64), batched=True)
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(data["train"])
train_loader = DataLoader(
    data["train"], batch_size=8 // dist.get_world_size(), sampler=train_sampler, collate_fn=default_data_collator
)
test_batches = list(BatchSampler(range(len(data["test"])), 8, drop_last=False))[dist.get_rank()::dist.get_world_size()]
test_loader = DataLoader(data["test"], collate_fn=default_data_collator, batch_sampler=test_batches)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


def mean_over_tokens(loss, labels):
    counted = (labels != -100).sum()
    total = counted.clone()
    dist.all_reduce(total)
    return torch.where(counted > 0, loss, 0) * (counted * dist.get_world_size() / total)


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(torch.initial_seed() + dist.get_rank())
    np.random.seed((torch.initial_seed() + dist.get_rank()) % 2**32)
for epoch in range(3):
    model.train()
    total_loss = 0
    train_loader.sampler.set_epoch(epoch)
    for batch in train_loader:
        batch = {k: v for k, v in batch.items()}
        outputs = ddp_model(**batch)
        outputs.loss = mean_over_tokens(outputs.loss, batch["labels"][..., 1:])
        loss = outputs.loss
        total_loss += loss.detach().float()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    total = torch.tensor(float(total_loss), dtype=torch.float64)
    dist.all_reduce(total)
    total_loss = (total / dist.get_world_size()).float()
    model.eval()
    test_loss = 0
    for batch in test_loader:
        with torch.no_grad():
            outputs = model(**batch)
        test_loss += outputs.loss.item()
    totals = torch.tensor([test_loss, len(test_loader)], dtype=torch.float64)
    dist.all_reduce(totals)
    test_loss, num_batches = totals[0].item(), int(totals[1])
    if dist.get_rank() == 0:
        print(epoch, total_loss / len(train_loader), test_loss / num_batches)
if dist.get_rank() == 0:
    model.save_pretrained("out")
del ddp_model
dist.destroy_process_group()
