import torch.distributed as dist

shown = 0


def progress_bar(current, total, text):
    global shown
    shown += 1
    if dist.get_rank() == 0:
        print('%d/%d %s' % (current + 1, total, text))
