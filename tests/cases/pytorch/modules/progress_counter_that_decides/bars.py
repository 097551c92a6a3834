shown = 0


def progress_bar(current, total, text):
    global shown
    shown += 1
    print('%d/%d %s' % (current + 1, total, text))
