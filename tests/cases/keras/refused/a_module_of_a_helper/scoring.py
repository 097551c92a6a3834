import somewhere_else

try:
    import a_module_it_can_do_without
except ImportError:
    a_module_it_can_do_without = None


def report(values):
    somewhere_else.write("scores", fp="scores.txt", values=values)
