from .fast import squeeze
