def width(n): return n
