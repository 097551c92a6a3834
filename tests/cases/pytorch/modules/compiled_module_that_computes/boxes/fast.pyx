# cython: language_level=3
def kept(boxes, limit):
    return [number for number, box in enumerate(boxes) if box[4] > limit]
