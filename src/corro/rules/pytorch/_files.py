"""Which calls read files, and which write them: processes wait for each other between the two."""

from __future__ import annotations

import ast
import itertools
import posixpath
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.python import FILE_SYSTEM
from corro.flow.values import is_like, joined_path, likeness
from corro.frontends.effects import EffectKind, effects, opens
from corro.frontends.lineage import base_names
from corro.source import arguments_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.frontends.effects import Effect
    from corro.rules.pytorch._job import Job

_WRITES = frozenset({EffectKind.SAVE, EffectKind.OPEN, EffectKind.DELETE})
_MEDIA = frozenset({"torchvision.io.read_image", "torchaudio.load", "matplotlib.image.imread",
                    "matplotlib.pyplot.imread", "PIL.Image.open", "cv2.imread", "imageio.imread", "imageio.v2.imread",
                    "imageio.v3.imread", "skimage.io.imread", "soundfile.read"})  # fmt: skip
"""Calls that read a picture or a sound."""
_READS = _MEDIA | FILE_SYSTEM | {"torch.load", "numpy.load", "joblib.load", "pandas.read_csv", "numpy.loadtxt",
                                 "numpy.genfromtxt", "torch.jit.load", "open", "torchvision.datasets.ImageFolder",
                                 "torchvision.datasets.DatasetFolder"}  # fmt: skip
"""Calls that read a file, or ask for one, whatever they are given."""
_LISTS = frozenset({"iterdir", "glob", "rglob"})
"""Methods of paths that look into a folder, of whatever path."""
_ON_PATHS = frozenset({"exists", "is_file", "open", "read_bytes", "read_text", "stat"})
_DATA = frozenset({"torch.save", "torch.jit.save", "numpy.save", "numpy.savez", "numpy.savez_compressed",
                   "numpy.savetxt", "pickle.dump", "json.dump", "yaml.dump", "joblib.dump", "to_csv", "to_json",
                   "to_pickle", "write_text"})  # fmt: skip
"""What writes neither a picture nor a sound."""
_DRAWN = ("savefig", "imsave")
"""How the names end of what plots into a file."""
_READING = ("load", "read", "from_", "open", "parse")
"""How methods of other objects begin that read the file whose path they are given."""
_OF_PATHS = ("os.path.", "os.fspath", "os.makedirs", "pathlib.", "copy.", "shutil.")
"""Functions that compute with a path, or belong to the effects."""


def writes(effect: Effect) -> bool:
    """Whether an effect writes a file, or deletes one."""
    return effect.kind in _WRITES or effect.fact.name.endswith(_DRAWN)


def reads(job: Job) -> Iterator[CallFact]:
    """Calls that read files: known ones, and what is given a path that the script has written to before."""
    done = [effect.node for effect in effects(job.calls)]
    paths = {path for effect in effects(job.calls) if writes(effect) for path in _paths(job, effect.fact)}
    for fact in job.calls:
        lists = fact.receiver is not None and fact.name in _LISTS
        known = lists or fact.name in _READS or _is_derived(job, fact)
        if known or (fact.node not in done and _isarguments_of(job, fact, paths)):
            yield fact


def _is_derived(job: Job, fact: CallFact) -> bool:
    """Whether an object is made of a class of the script's own that is derived from one that reads files."""
    made = job.facts.classes_of(fact.result) if job.facts.number(fact.node) in fact.result.sites else ()
    return any(name in _READS for each in made for name in base_names(job.facts, each))


def overwrites(job: Job, writing: CallFact, reading: CallFact) -> bool:
    """Whether a file may be written to again while other processes read it."""
    read = {_key(job, node) for node in arguments_of(reading.node)}
    return not read.isdisjoint(_paths(job, writing)) and follows(job, writing, reading)


def follows(job: Job, writing: CallFact, reading: CallFact) -> bool:
    """Whether rank 0 may write while other processes still read: no step, which all make, lies between."""
    steps = (fact for each in job.anatomy.backwards for fact in job.calls_of(each.node))
    return reading.order <= writing.order and not any(reading.order < each.order < writing.order for each in steps)


def may_be_of(job: Job, writing: CallFact, reading: CallFact) -> bool:
    """Whether what is read may be what is written, or in it: two paths that are known, and not alike, are two files.

    Nor is a picture read from what was written as data.
    """
    if reading.name in _MEDIA and _writes_data(writing):
        return False
    written, read = [*_paths(job, writing)], [_key(job, node) for node in arguments_of(reading.node)[:1]]
    if reading.receiver is not None or not written or not read or not all(map(_is_known, (*written, *read))):
        return True
    return any(_meet(each, other) for each in written for other in read)


def _writes_data(writing: CallFact) -> bool:
    if not opens(writing.name):
        return writing.name in _DATA
    mode = writing.argument(1, "mode")
    return mode is not None and isinstance(mode.const, str) and "b" not in mode.const


def _is_known(key: str) -> bool:
    return bool(key) and not key.endswith(")")  # as an expression is written


def _meet(first: str, second: str) -> bool:
    """Whether two paths may be one, or one be in the other, each known by what it is like: ``*`` may have folders."""
    if "|" in first + second or first.startswith("/") is not second.startswith("/"):
        return True
    return any(_begins(a, b) for a, b in itertools.permutations(map(posixpath.normpath, (first, second))))


def _begins(first: str, second: str) -> bool:
    """Whether a path may begin another one, by what is known of both up to where one of them is not known."""
    before, star, _ = first.partition("*")
    known, other, _ = second.partition("*")
    if not star:
        return f"{known}/".startswith(f"{before}/") or (bool(other) and before.startswith(known))
    return known.startswith(before) or (bool(other) and before.startswith(known))


def is_read(job: Job, guarded: ast.stmt) -> bool:
    """Whether processes read files after the start, elsewhere than in a statement that rank 0 makes alone."""
    writing = [effect.fact for effect in job.effects if writes(effect)]
    written = min((fact.order for fact in writing), default=0)
    own = {*ast.walk(guarded), *(fact.node for fact in writing)}
    return any(f.node not in own and (f.order > written or f.context.loops) for f in reads(job))


def _isarguments_of(job: Job, fact: CallFact, paths: set[str]) -> bool:
    if isinstance(fact.node.func, ast.Attribute) and fact.receiver is not None:
        if fact.name in _ON_PATHS:
            return _key(job, fact.node.func.value) in paths
        if not fact.name.lower().startswith(_READING):
            return False
    elif "." not in fact.name or fact.name.startswith(_OF_PATHS):
        return False
    given = arguments_of(fact.node)
    return any(_is_among(job, node, paths) for node in given) or _is_told_in_parts(job, given, paths)


def _is_among(job: Job, node: ast.expr, paths: set[str]) -> bool:
    """Whether a path is one of those, or may be by what it is like: ``"run_" + str(n)`` and ``f"run_{epoch}"``."""
    return _key(job, node) in paths or _may_be_among(likeness(job.value(node)), paths)


def _is_told_in_parts(job: Job, given: Sequence[ast.expr], paths: set[str]) -> bool:
    """Whether a call is given one of those paths in two parts: ``TabularDataset.splits("data", train="a.csv")``."""
    values = [_text_of_path(job, node) for node in given]
    folders = [value for value in values if value.kind in (Kind.TEXT, Kind.UNKNOWN, Kind.METHOD)]
    names = [value for value in values if value.kind is Kind.TEXT]
    pairs = itertools.product(folders, names)
    return any(_may_be_among(joined_path((a, b)).removeprefix("./"), paths) for a, b in pairs if a is not b)


def _text_of_path(job: Job, node: ast.expr) -> Value:
    """What is known of a path, of ``Path(x)`` what is of ``x``."""
    inner = _given_to_path(job, node)
    return job.value(node) if inner is None else _text_of_path(job, inner)


def _given_to_path(job: Job, node: ast.expr) -> ast.expr | None:
    """What ``Path`` makes a path of."""
    if not isinstance(node, ast.Call) or len(node.args) != 1:
        return None
    made = job.names_of(node).qualified(node.func)
    return node.args[0] if any(name.startswith("pathlib.") for name in made) else None


def _may_be_among(like: str, paths: set[str]) -> bool:
    return bool(like) and any(is_like(path, like) or is_like(like, path) for path in paths)


def _paths(job: Job, fact: CallFact) -> Iterator[str]:
    """The paths among what a call that writes is given, and the path that it is a method of."""
    given = arguments_of(fact.node)
    if isinstance(fact.node.func, ast.Attribute):
        given.append(fact.node.func.value)
    known = [node for node in given if job.value(node).kind is Kind.TEXT or _is_path(job, node)]
    place = 0 if fact.receiver is not None or fact.name.startswith("numpy.") else 1
    yield from (_key(job, node) for node in known or fact.node.args[place : place + 1])


def _key(job: Job, node: ast.expr) -> str:
    """How a path is known again: by its text, else as it is written; ``Path(x)`` as ``x``."""
    const = job.value(node).const
    if isinstance(const, str):
        return const.removeprefix("./")
    if likeness(job.value(node)):
        return likeness(job.value(node)).removeprefix("./")
    inner = _given_to_path(job, node)
    return ast.dump(node) if inner is None else _key(job, inner)


def _is_path(job: Job, node: ast.expr) -> bool:
    """Whether an expression, or what its name is assigned, makes a path."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        written = ast.unparse(node)
        assigned = job.file_of(node).nodes.of(ast.Assign)
        return any(ast.unparse(n.targets[0]) == written and _makes(job, n.value) for n in assigned)
    return _makes(job, node)


def _makes(job: Job, node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, (ast.Add, ast.Div)) and (_makes(job, node.left) or _makes(job, node.right))
    if isinstance(node, ast.Call):
        return any(name.startswith(("os.path.", "pathlib.")) for name in job.names_of(node).qualified(node.func))
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
