"""A model writes captions, and its checkpoint is not known: what its loss is a mean over is only assumed."""

import torch
from datasets import load_dataset
from torch.utils.data import DataLoader
from transformers import AutoModelForVision2Seq, AutoProcessor
import datasets
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
if hvd.rank() != 0:
    datasets.disable_progress_bars()
processor = AutoProcessor.from_pretrained("Salesforce/blip2-opt-2.7b")
model = AutoModelForVision2Seq.from_pretrained("captioner").cuda()
photos = load_dataset("imagefolder", data_dir="photos", split="train")


def together(samples):
    texts = processor.tokenizer([each["caption"] for each in samples], padding=True, return_tensors="pt")
    images = processor.image_processor([each["image"] for each in samples], return_tensors="pt")
    return {"input_ids": texts["input_ids"], "pixel_values": images["pixel_values"]}


if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(photos, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(photos, batch_size=8 // hvd.size(), sampler=loader_sampler, collate_fn=together)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
model.train()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        tokens = batch.pop("input_ids").cuda()
        pixels = batch.pop("pixel_values").cuda()
        outputs = model(input_ids=tokens, pixel_values=pixels, labels=tokens)
        outputs.loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
        optimizer.zero_grad()
hvd.shutdown()
