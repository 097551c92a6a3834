import horovod.torch as hvd

shown = 0


def progress_bar(current, total, text):
    global shown
    shown += 1
    if hvd.rank() == 0:
        print('%d/%d %s' % (current + 1, total, text))
