"""The right programs, and each of them broken in one known way. A trap's number is that of the catalogue of traps."""

from __future__ import annotations

from trials import Base, Edits, Mutant

_SILENT = {"metrics": "reports no numbers"}

BASES = {
    "dense.ddp": Base("dense", "ddp"),
    "dense.horovod": Base("dense", "horovod"),
    "dense-3.ddp": Base("dense", "ddp", processes=3),
    "dense-4.horovod": Base("dense", "horovod", processes=4),
    "dense-weak.ddp": Base("dense", "ddp", weak=True, edits=[("24 // size", "24"), ("lr=0.1", "lr=0.1 * size")]),
    "dense-weak.horovod": Base("dense", "horovod", weak=True, edits=[("24 // size", "24"), ("lr=0.1", "lr=0.1 * size")]),
    "reporting.ddp": Base("reporting", "ddp"),
    "reporting.horovod": Base("reporting", "horovod"),
    "reporting-4.ddp": Base("reporting", "ddp", processes=4),
    "augmented.ddp": Base("augmented", "ddp"),
    "augmented.horovod": Base("augmented", "horovod"),
    "plateau.ddp": Base("plateau", "ddp"),
    "plateau.horovod": Base("plateau", "horovod"),
    "cycle.ddp": Base("cycle", "ddp", unknown=_SILENT),
    "cycle.horovod": Base("cycle", "horovod", unknown=_SILENT),
    "accumulation.ddp": Base("accumulation", "ddp"),
    "accumulation.horovod": Base("accumulation", "horovod"),
    "clipping.ddp": Base("clipping", "ddp"),
    "clipping.horovod": Base("clipping", "horovod"),
    "amp.ddp": Base("amp", "ddp"),
    "gan.ddp": Base("gan", "ddp"),
    "heads.horovod": Base("heads", "horovod"),
    "stopping.ddp": Base("stopping", "ddp"),
    "stream.ddp": Base("stream", "ddp"),
    "weighted.ddp": Base("weighted", "ddp", unknown={"coverage": "drawn at random"}),
    "gate.ddp": Base("gate", "ddp"),
    "split.ddp": Base("random_split_unseeded", "ddp"),
    "split.horovod": Base("random_split_unseeded", "horovod"),
    "best.ddp": Base("random_split_seeded", "ddp"),
    "summed.ddp": Base("summed_loss", "ddp"),
    "summed.horovod": Base("summed_loss", "horovod"),
    "writer.ddp": Base("tensorboard_writer", "ddp"),
    "resume.ddp": Base("checkpoint_resume", "ddp", arguments=("--resume",), prepare=()),
    "resume.horovod": Base("checkpoint_resume", "horovod", arguments=("--resume",), prepare=()),
    "warmup.ddp": Base("exponential_lr_odd_batches", "ddp", weak=True),
    "warmup.horovod": Base("exponential_lr_odd_batches", "horovod", weak=True),
}


def _m(name: str, base: str, trap: int, edits: Edits, *caught: str, hangs: bool = False) -> Mutant:
    return Mutant(name, base, trap, edits, caught, hangs)


_DATA = [
    _m("no set_epoch", "dense.ddp", 1, [("    sampler.set_epoch(epoch)\n", "")], "coverage"),
    _m("no set_epoch", "dense.horovod", 1, [("    sampler.set_epoch(epoch)\n", "")], "coverage"),
    _m("no set_epoch", "reporting.ddp", 1, [("train_loader.sampler.set_epoch(epoch)", "pass")], "coverage"),
    _m("set_epoch with a constant", "plateau.horovod", 1, [("set_epoch(epoch)", "set_epoch(1)")], "coverage"),
    _m("shuffle lost in the sampler", "dense.ddp", 2, [("shuffle=True", "shuffle=False")], "coverage"),
    _m(
        "dealt out by a range, not shuffled",
        "cycle.ddp",
        2,
        [
            ("loader_sampler = DistributedSampler(loader_data)", "loader_sampler = range(dist.get_rank(), 120, 2)"),
            ("    loader.sampler.set_epoch(epoch)", "    pass"),
        ],
        "coverage",
    ),
    _m("sampler seeded by rank", "dense.ddp", 3, [("shuffle=True)", "shuffle=True, seed=rank)")], "coverage"),
    _m("sampler seeded by rank", "dense.horovod", 3, [("shuffle=True)", "shuffle=True, seed=rank)")], "coverage"),
    _m("sampler seeded by rank", "dense-3.ddp", 3, [("shuffle=True)", "shuffle=True, seed=rank)")], "coverage"),
    _m("split drawn per rank", "split.ddp", 4, [("dist.broadcast(seed, src=0)", "pass")], "coverage"),
    _m(
        "split drawn per rank",
        "split.horovod",
        4,
        [("hvd.broadcast_object(torch.initial_seed() % 2**63)", "torch.initial_seed() % 2**63")],
        "coverage",
    ),
    _m("noise equal on all ranks", "augmented.ddp", 5, [("torch.manual_seed(5 + dist.get_rank())", "pass")], "coverage"),
    _m("noise equal on all ranks", "gan.ddp", 5, [("torch.manual_seed(6 + rank)", "pass")], "coverage"),
    _m(
        "evaluation padded by a DistributedSampler",
        "dense-3.ddp",
        6,
        [("sampler=range(rank, len(test_set), size)", "sampler=DistributedSampler(test_set, shuffle=False)")],
        "coverage",
    ),
    _m(
        "evaluation with a sample twice",
        "dense.ddp",
        6,
        [("range(rank, len(test_set), size)", "[*range(rank, len(test_set), size), 0]")],
        "coverage",
    ),
    _m("drop_last in evaluation", "dense.ddp", 7, [("batch_size=16, sampler", "batch_size=16, drop_last=True, sampler")], "coverage"),
    _m("drop_last in evaluation", "reporting.horovod", 7, [("20, drop_last=False", "20, drop_last=True")], "coverage"),
    _m("drop_last lost in training", "reporting.ddp", 7, [("(train_data, drop_last=True)", "(train_data)"), (", drop_last=True)", ")")], "coverage"),
    _m("batch not divided", "dense.ddp", 42, [("24 // size", "24")], "coverage"),
    _m("batch not divided", "dense-4.horovod", 42, [("24 // size", "24")], "coverage"),
    _m("batch divided under weak scaling", "dense-weak.ddp", 42, [("batch_size=24,", "batch_size=24 // size,")], "coverage"),
    _m(
        "WeightedRandomSampler replaced",
        "weighted.ddp",
        30,
        [
            (
                "Share(WeightedRandomSampler(weights, len(x), generator=torch.Generator().manual_seed(10)))",
                "torch.utils.data.distributed.DistributedSampler(data)",
            )
        ],
        "coverage",
    ),
    _m("stream not dealt out", "stream.ddp", 31, [("rank, None, size)", "0, None, 1)")], "coverage"),
    _m("stream dealt out twice", "stream.ddp", 31, [("rank, None, size)", "rank, None, size * size)")], "coverage"),
    _m("one part trains on every rank's samples but the last's", "dense-4.horovod", 3, [("rank=rank,", "rank=min(rank, 2),")], "coverage"),
]

_RATES = [
    _m("rate not scaled under weak scaling", "dense-weak.ddp", 19, [("lr=0.1 * size", "lr=0.1")], "update"),
    _m("rate not scaled under weak scaling", "dense-weak.horovod", 19, [("lr=0.1 * size", "lr=0.1")], "update"),
    _m("rate scaled twice under weak scaling", "dense-weak.ddp", 19, [("lr=0.1 * size", "lr=0.1 * size * size")], "update"),
    _m("rate not scaled under weak scaling", "warmup.ddp", 19, [("lr=0.2 * dist.get_world_size()", "lr=0.2")], "update"),
    _m("warm-up that does not end", "warmup.horovod", 19, [("        warmup.step()", "        pass")], "update"),
    _m("rate doubled under strong scaling", "dense.ddp", 19, [("lr=0.1", "lr=0.1 * size")], "update"),
    _m("rate doubled under strong scaling", "dense.horovod", 19, [("lr=0.1", "lr=0.1 * size")], "update"),
    _m(
        "scheduler stepped N times",
        "warmup.ddp",
        20,
        [("    sched.step()", "    [sched.step() for _ in range(dist.get_world_size())]")],
        "update",
    ),
    _m("schedule N times too long", "cycle.ddp", 20, [("steps_per_epoch=len(loader)", "steps_per_epoch=2 * len(loader)")], "update"),
    _m("schedule at its end too early", "cycle.horovod", 20, [("        scheduler.step()", "        [scheduler.step() for _ in range(2) if scheduler.last_epoch < 17]")], "update"),
    _m("plateau on a local loss", "plateau.ddp", 10, [("dist.all_reduce(total_)", "pass")], "agreement", "metrics"),
    _m("plateau on a local loss", "plateau.horovod", 10, [("hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)", "torch.tensor(total)")], "agreement", "metrics"),
    _m("momentum forgotten", "dense.ddp", 44, [(", momentum=0.9", "")], "update"),
    _m("weight decay of the wrong group", "cycle.ddp", 34, [("'weight_decay': 0.0", "'weight_decay': 0.1")], "update"),
]

_GRADIENTS = [
    _m("trained on the bare model", "dense.ddp", 33, [("criterion(ddp_model(a), b)", "criterion(model(a), b)")], "gradient", "agreement"),
    _m("trained on the bare model", "amp.ddp", 33, [("output = ddp_model(a)", "output = model(a)")], "gradient", "agreement"),
    _m("trained on the bare model", "plateau.ddp", 33, [("criterion(ddp_model(inputs), targets)", "criterion(model(inputs), targets)")], "gradient", "agreement"),
    _m("loss by a method of the model inside", "stream.ddp", 33, [("ddp_model(a)", "ddp_model.module(a)")], "gradient", "agreement"),
    _m(
        "optimizer not wrapped",
        "dense.horovod",
        33,
        [("optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())\n", "")],
        "gradient",
        "agreement",
    ),
    _m(
        "sum instead of mean",
        "dense.ddp",
        22,
        [("        optimizer.step()", "        [p.grad.mul_(size) for p in model.parameters()]\n        optimizer.step()")],
        "gradient",
    ),
    _m("sum instead of mean", "dense.horovod", 22, [("=model.named_parameters())", "=model.named_parameters(), op=hvd.Sum)")], "gradient"),
    _m("sum instead of mean", "amp.ddp", 22, [("        loss.backward()", "        (loss * size).backward()")], "gradient"),
    _m("summed loss averaged", "summed.ddp", 22, [("(loss * dist.get_world_size()).backward()", "loss.backward()")], "gradient"),
    _m("summed loss averaged", "summed.horovod", 22, [("=model.named_parameters(), op=hvd.Sum)", "=model.named_parameters())")], "gradient"),
    _m("loss divided by the global batch", "stopping.ddp", 22, [("/ len(a)", "/ 16")], "gradient"),
    _m(
        "one parameter left out",
        "dense.ddp",
        29,
        [
            (
                "ddp_model = ",
                "DistributedDataParallel._set_params_and_buffers_to_ignore_for_model(model, ['0.weight'])\nddp_model = ",
            )
        ],
        "gradient",
        "agreement",
    ),
    _m(
        "layer thawed after wrapping",
        "dense.ddp",
        34,
        [
            (
                "ddp_model = DistributedDataParallel(model)",
                "model[3].requires_grad_(False)\nddp_model = DistributedDataParallel(model)\nmodel[3].requires_grad_(True)",
            )
        ],
        "gradient",
        "agreement",
    ),
    _m(
        "last group added after wrapping",
        "dense.horovod",
        34,
        [
            ("torch.optim.SGD(model.parameters()", "torch.optim.SGD(model[:3].parameters()"),
            (
                "named_parameters=model.named_parameters())",
                "named_parameters=model[:3].named_parameters())\noptimizer.add_param_group({'params': model[3].parameters()})",
            ),
        ],
        "gradient",
        "agreement",
    ),
    _m(
        "one of two optimizers not wrapped",
        "heads.horovod",
        26,
        [("head_optimizer = hvd.DistributedOptimizer(head_optimizer, named_parameters=head_names)\n", "")],
        "gradient",
        "agreement",
    ),
    _m("generator without its wrapper", "gan.ddp", 26, [("fake = ddp_generator(noise)", "fake = generator(noise)")], "gradient", "agreement"),
    _m("critic's gradient not cleared", "gan.ddp", 26, [("        optimizer_d.zero_grad()\n", "")], "gradient"),
    _m(
        "clipped before the reduction",
        "clipping.horovod",
        24,
        [
            ("        optimizer.synchronize()\n", ""),
            ("        with optimizer.skip_synchronize():\n            optimizer.step()", "        optimizer.step()"),
        ],
        "gradient",
    ),
    _m("not clipped", "clipping.ddp", 24, [("        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)\n", "")], "gradient"),
    _m("limit of the norm divided", "clipping.ddp", 24, [("0.5)", "0.5 / size)")], "gradient"),
    _m("never synchronised", "accumulation.ddp", 23, [("with nullcontext() if last else ddp_model.no_sync():", "with ddp_model.no_sync():")], "gradient", "agreement"),
    _m(
        "synchronised only before the last part",
        "accumulation.ddp",
        23,
        [("nullcontext() if last else ddp_model.no_sync()", "ddp_model.no_sync() if last else nullcontext()")],
        "gradient",
        "agreement",
    ),
    _m("accumulated loss not divided", "accumulation.ddp", 23, [("criterion(ddp_model(a), b) / STEPS", "criterion(ddp_model(a), b)")], "gradient"),
    _m("accumulated over fewer batches", "accumulation.ddp", 23, [("STEPS = 3", "STEPS = 2")], "update"),
    _m("backward passes not told", "accumulation.horovod", 23, [("backward_passes_per_step=STEPS", "backward_passes_per_step=1")], "end"),
    _m("accumulated loss not divided", "accumulation.horovod", 23, [("loss = criterion(model(a), b) / STEPS", "loss = criterion(model(a), b)")], "gradient"),
]

_START = [
    _m(
        "other start on each rank",
        "dense.horovod",
        17,
        [("hvd.broadcast_parameters(model.state_dict(), root_rank=0)", "torch.manual_seed(rank)\nmodel[0].reset_parameters()")],
        "start",
        "agreement",
    ),
    _m(
        "no broadcast of weights that are not seeded",
        "split.horovod",
        17,
        [
            ("torch.manual_seed(seed)\n", "\n"),
            ("hvd.broadcast_parameters(model.state_dict(), root_rank=0)", "pass"),
        ],
        "start",
        "agreement",
    ),
    _m("another seed", "dense.ddp", 17, [("torch.manual_seed(0)", "torch.manual_seed(1)")], "start"),
    _m("weights perturbed by 1e-3", "dense.ddp", 17, [("ddp_model = ", "torch.nn.utils.vector_to_parameters(torch.nn.utils.parameters_to_vector(model.parameters()) + 1e-3, model.parameters())\nddp_model = ")], "start"),
    _m("weights times 1.001", "dense.horovod", 17, [("optimizer = torch", "model[0].weight.data *= 1.001\noptimizer = torch")], "start"),
    _m("weights of one rank times 1.001", "plateau.horovod", 17, [("    torch.manual_seed(7 + hvd.rank())", "    model[0].weight.data *= 1.001")], "start", "agreement"),
    _m("drawn from before the weights", "cycle.ddp", 17, [("torch.manual_seed(11)\n", "torch.manual_seed(11); torch.rand(1)\n")], "start"),
    _m("broadcast of an optimizer without a state", "cycle.horovod", 44, [("hvd.broadcast_parameters(model.state_dict(), root_rank=0)", "hvd.broadcast_optimizer_state(optimizer, root_rank=0)")], "start"),
    _m("optimizer state not restored", "resume.ddp", 17, [("    optimizer.load_state_dict(checkpoint['optimizer'])", "    pass")], "start"),
    _m("optimizer state not restored", "resume.horovod", 17, [("    optimizer.load_state_dict(checkpoint['optimizer'])", "    pass")], "start"),
    _m("optimizer state on rank 0 only", "resume.ddp", 17, [("    optimizer.load", "    dist.get_rank() or optimizer.load")], "start", "agreement"),
    _m(
        "wrapped after its state was loaded",
        "resume.horovod",
        44,
        [
            ("\noptimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())", "\npass"),
            (
                "hvd.broadcast_parameters(net.state_dict(), root_rank=0)",
                "optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())",
            ),
        ],
        "start",
    ),
    _m("weights not restored", "resume.ddp", 17, [("    net.load_state_dict(checkpoint['net'])", "    pass")], "start"),
    _m("resumed at the wrong epoch", "resume.ddp", 17, [("checkpoint['epoch'] + 1", "checkpoint['epoch']")], "metrics"),
    _m("resumed at the wrong epoch", "resume.horovod", 17, [("checkpoint['epoch'] + 1", "checkpoint['epoch'] + 2")], "metrics"),
]

_METRICS = [
    _m("metric not reduced", "dense.ddp", 9, [("dist.all_reduce(sums)", "pass")], "metrics"),
    _m("metric not reduced", "dense.horovod", 9, [("hvd.allreduce(torch.tensor([total, correct], dtype=torch.float64), op=hvd.Sum)", "torch.tensor([total, correct])")], "metrics"),
    _m("metric not reduced", "augmented.ddp", 9, [("dist.all_reduce(total_)", "pass")], "metrics"),
    _m("metric reduced twice", "dense.ddp", 9, [("dist.all_reduce(sums)", "dist.all_reduce(sums), dist.all_reduce(sums)")], "metrics"),
    _m("metric averaged, not summed", "plateau.ddp", 9, [("total = total_.item()", "total = total_.item() / dist.get_world_size()")], "metrics"),
    _m("scalar not reduced", "writer.ddp", 9, [("mean_loss = total.item() / dist.get_world_size()", "mean_loss = loss.item()")], "metrics"),
    _m("divided by the length of the shard", "dense.ddp", 8, [("total / 203", "total / len(sampler)")], "metrics"),
    _m("batches of one rank counted", "reporting.ddp", 8, [("val_loss /= num_batches", "val_loss /= len(val_loader)")], "metrics"),
    _m(
        "mean of unequal means",
        "reporting-4.ddp",
        8,
        [("[val_loss, correct, len(val_loader)]", "[val_loss / len(val_loader), correct, 1]")],
        "metrics",
    ),
    _m("no model.eval()", "dense.ddp", 28, [("    model.eval()\n", "")], "metrics"),
    _m("no model.eval()", "reporting.horovod", 28, [("    model.eval()\n", "    pass\n")], "metrics"),
    _m("buffers not made equal before evaluation", "reporting.ddp", 28, [("dist.broadcast(buffer, src=0)", "pass")], "metrics"),
    _m("buffers not made equal before evaluation", "reporting.horovod", 28, [("hvd.broadcast_parameters(dict(model.named_buffers()), root_rank=0)", "pass")], "metrics"),
    _m(
        "best model by a local value",
        "reporting.ddp",
        11,
        [
            ("        totals = torch.tensor(", "        local = val_loss; totals = torch.tensor("),
            ("if val_loss < best:", "if local < best:"),
            ("best = val_loss\n", "best = local\n"),
        ],
        "agreement",
    ),
]

_EFFECTS = [
    _m("saved on all ranks", "dense.ddp", 14, [("if rank == 0:\n    torch.save", "if True:\n    torch.save")], "effects"),
    _m("saved on all ranks", "dense.horovod", 14, [("if rank == 0:\n    torch.save", "if True:\n    torch.save")], "effects"),
    _m("saved on all ranks", "cycle.horovod", 14, [("if hvd.rank() == 0:\n    torch.save", "if True:\n    torch.save")], "effects"),
    _m("saved by no rank", "dense.ddp", 14, [("if rank == 0:\n    torch.save", "if rank == size:\n    torch.save")], "effects"),
    _m("guard inverted", "dense.horovod", 14, [("if rank == 0:\n    torch.save", "if rank != 0:\n    torch.save")], "effects"),
    _m("saved under a name of its own", "dense.ddp", 14, [("if rank == 0:\n    torch.save(model.state_dict(), \"model.pt\")", "torch.save(model.state_dict(), f\"model-{rank}.pt\")")], "effects"),
    _m(
        "read before it is written",
        "dense.ddp",
        14,
        [
            ("if rank == 0:\n    torch.save", "if rank == 0:\n    __import__('time').sleep(1)\n    torch.save"),
            ("del ddp_model", "model.load_state_dict(torch.load(\"model.pt\"))\ndel ddp_model"),
        ],
        "end",
    ),
    _m("wrapped model saved", "dense.ddp", 15, [("torch.save(model.state_dict()", "torch.save(ddp_model.state_dict()")], "effects"),
    _m("wrapped model saved", "cycle.ddp", 15, [("'model': model.state_dict()", "'model': ddp_model.state_dict()")], "effects"),
    _m("weights saved before the last epoch", "resume.ddp", 14, [("'epoch': epoch,", "'epoch': epoch - 1,")], "effects"),
    _m("printed on all ranks", "dense.ddp", 41, [("    if rank == 0:\n        print", "    if True:\n        print")], "effects"),
    _m("printed on all ranks", "dense.horovod", 41, [("    if rank == 0:\n        print", "    if True:\n        print")], "effects"),
    _m("printed on all ranks", "split.ddp", 41, [("    if dist.get_rank() == 0:\n        print", "    if True:\n        print")], "effects"),
    _m("logged on all ranks", "reporting.ddp", 41, [("        logging.info(", "    logging.info(")], "effects"),
    _m("progress bar on all ranks", "reporting.ddp", 41, [(", disable=dist.get_rank() != 0", "")], "effects"),
    _m("progress bar on no rank", "reporting.horovod", 41, [("disable=hvd.rank() != 0", "disable=True")], "effects"),
    _m("directory made on all ranks", "reporting.ddp", 32, [("if dist.get_rank() == 0:\n    os.makedirs('run')", "if True:\n    os.makedirs('run')")], "end"),
    _m("rows written on all ranks", "reporting.ddp", 32, [("'run/losses.csv' if dist.get_rank() == 0 else os.devnull", "'run/losses.csv'")], "effects"),
    _m("writer on all ranks", "writer.ddp", 41, [("SummaryWriter('runs') if dist.get_rank() == 0 else None", "SummaryWriter('runs')")], "effects"),
    _m("log file on all ranks", "warmup.horovod", 32, [("os.path.join(OUT, 'log.csv') if hvd.rank() == 0 else os.devnull", "os.path.join(OUT, 'log.csv')")], "effects"),
]

_END = [
    _m("barrier under a rank guard", "dense.ddp", 12, [("if rank == 0:\n    torch.save", "if rank == 0:\n    dist.barrier()\n    torch.save")], "end", hangs=True),
    _m(
        "reduction under a rank guard",
        "dense.horovod",
        12,
        [
            ("    sums = hvd.allreduce(torch.tensor([total, correct], dtype=torch.float64), op=hvd.Sum)", "    sums = torch.tensor([total, correct])\n    if rank == 0:\n        sums = hvd.allreduce(sums, op=hvd.Sum)"),
        ],
        "end",
        hangs=True,
    ),
    _m("one rank a batch short", "dense.ddp", 13, [("in train_loader:", "in list(train_loader)[rank:]:")], "end", hangs=True),
    _m("one rank a batch short", "clipping.horovod", 13, [("in loader:", "in list(loader)[rank:]:")], "end", hangs=True),
    _m("number of batches drawn per rank", "stream.ddp", 47, [("for a, b in loader:", "for a, b in islice(loader, 3 + rank):")], "end", hangs=True),
    _m("early stop on a local value", "stopping.ddp", 11, [("dist.all_reduce(total)", "total *= size")], "end", hangs=True),
    _m("early stop on rank 0 only", "stopping.ddp", 11, [("waited == 2", "waited == 2 and rank == 0")], "end", hangs=True),
    _m("one rank crashes", "dense.ddp", 13, [("    model.train()\n", "    model.train()\n    assert rank == 0 or epoch == 0, 'broken'\n")], "end"),
    _m("one rank crashes", "dense.horovod", 13, [("    model.train()\n", "    model.train()\n    assert rank == 0 or epoch == 0, 'broken'\n")], "end"),
    _m("parameters without a gradient", "dense.ddp", 29, [("ddp_model = ", "model.extra = nn.Identity()\nmodel.extra.weight = nn.Parameter(torch.zeros(1))\nddp_model = ")], "end"),
    _m("exit status lost", "gate.ddp", 12, [("    sys.exit(3)", "    pass")], "end"),
    _m("exit status of another error", "gate.ddp", 12, [("sys.exit(3)", "sys.exit(1)")], "end"),
]

_ALONE = [
    _m("rank 0 takes another seed too", "augmented.ddp", 5, [("if dist.get_rank() > 0:", "if dist.get_rank() >= 0:")], "alone"),
    _m("rank 0 takes another seed too", "augmented.horovod", 5, [("if hvd.rank() > 0:", "if hvd.rank() >= 0:")], "alone"),
]

MUTANTS = [*_DATA, *_RATES, *_GRADIENTS, *_START, *_METRICS, *_EFFECTS, *_END, *_ALONE]
