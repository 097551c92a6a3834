from .fast import kept as _kept


def keep(boxes, limit):
    return _kept(boxes, limit)
