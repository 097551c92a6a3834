"""The explorer: a page, served to this machine alone, that shows a script beside its distributed program.

``view`` makes what is shown, a plain value for JSON; ``answers`` reads requests and writes answers; ``server`` serves
them, and ``site`` gives them where there is no server, in a browser's Python. Scripts are read, never run.
"""
