"""The explorer: a page, served to this machine alone, that shows a script beside its distributed program.

``view`` makes what is shown, a plain value for JSON; ``server`` serves it. Scripts are read, never run.
"""
