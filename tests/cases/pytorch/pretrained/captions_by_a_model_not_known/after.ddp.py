"""A model writes captions, and its checkpoint is not known: what its loss is a mean over is only assumed."""

import torch
from datasets import load_dataset
from torch.utils.data import DataLoader
from transformers import AutoModelForVision2Seq, AutoProcessor
import datasets
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
if dist.get_rank() != 0:
    datasets.disable_progress_bars()
processor = AutoProcessor.from_pretrained("Salesforce/blip2-opt-2.7b")
model = AutoModelForVision2Seq.from_pretrained("captioner").cuda()
photos = load_dataset("imagefolder", data_dir="photos", split="train")


def together(samples):
    texts = processor.tokenizer([each["caption"] for each in samples], padding=True, return_tensors="pt")
    images = processor.image_processor([each["image"] for each in samples], return_tensors="pt")
    return {"input_ids": texts["input_ids"], "pixel_values": images["pixel_values"]}


if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(photos)
loader = DataLoader(photos, batch_size=8 // dist.get_world_size(), sampler=loader_sampler, collate_fn=together)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
model.train()
ddp_model = DistributedDataParallel(model, find_unused_parameters=True)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        tokens = batch.pop("input_ids").cuda()
        pixels = batch.pop("pixel_values").cuda()
        outputs = ddp_model(input_ids=tokens, pixel_values=pixels, labels=tokens)
        outputs.loss.backward()
        optimizer.step()
        optimizer.zero_grad()
del ddp_model
dist.destroy_process_group()
