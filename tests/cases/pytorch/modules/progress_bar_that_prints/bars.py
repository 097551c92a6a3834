import sys
import time

WIDTH = 30
started = time.time()
last_time = started


def progress_bar(current, total, text=None):
    global started, last_time
    if current == 0:
        started = time.time()
    done = int(WIDTH * current / total)
    sys.stdout.write('[')
    for i in range(done):
        sys.stdout.write('=')
    sys.stdout.write('>' + '.' * (WIDTH - done - 1) + ']')
    parts = []
    parts.append(' step %s' % seconds(time.time() - last_time))
    parts.append(' of %s' % seconds(time.time() - started))
    last_time = time.time()
    if text:
        parts.append(' | ' + text)
    sys.stdout.write(''.join(parts))
    sys.stdout.write('\r' if current < total - 1 else '\n')
    sys.stdout.flush()


def seconds(passed):
    return '%ds' % passed
