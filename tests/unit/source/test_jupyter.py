"""Magics, shell lines and help as Python, and back."""

from __future__ import annotations

import ast

import pytest

from corro.source.jupyter import Translation, python_words

LINES = [
    ("%matplotlib inline", "# Jupyter: %matplotlib inline"),
    ("% matplotlib inline", "# Jupyter: % matplotlib inline"),
    ("!pip install torch", "# Jupyter: !pip install torch"),
    ("pip install torch", "# Jupyter: pip install torch"),
    ("!{sys.executable} -m pip install a", "# Jupyter: !{sys.executable} -m pip install a"),
    ("%conda install a", "# Jupyter: %conda install a"),
    ("?len", "# Jupyter: ?len"),
    ("len??", "# Jupyter: len??"),
    ("!ls *.py", 'subprocess.run("ls *.py", shell=True)  # Jupyter: !ls *.py'),
    ("!!ls", 'subprocess.run("ls", shell=True)  # Jupyter: !!ls'),
    ("!echo {url} $url", 'subprocess.run(f"echo {url} {url}", shell=True)  # Jupyter: !echo {url} $url'),
    ("!echo $HOME", 'subprocess.run("echo $HOME", shell=True)  # Jupyter: !echo $HOME'),
    ("!awk '{print $1}' f", "subprocess.run(\"awk '{print $1}' f\", shell=True)  # Jupyter: !awk '{print $1}' f"),
    ('!echo "a\\tb"', 'subprocess.run("echo \\"a\\\\tb\\"", shell=True)  # Jupyter: !echo "a\\tb"'),
    ("x = !ls", 'x = subprocess.getoutput("ls").splitlines()  # Jupyter: x = !ls'),
    ("%cd data", 'os.chdir(os.path.expanduser("data"))  # Jupyter: %cd data'),
    ("%env A=b c", 'os.environ["A"] = "b c"  # Jupyter: %env A=b c'),
    ("%env", "# Jupyter: %env"),
    ("%time f(1)", "f(1)  # Jupyter: %time ..."),
    ("%time", "# Jupyter: %time"),
    ("if url:\n    !ls", 'if url:\n    subprocess.run("ls", shell=True)  # Jupyter: !ls'),
    ("if url:\n    %pdb", "if url:\n    pass  # Jupyter: %pdb"),
    ("%%time\nf()", "# Jupyter: %%time\nf()"),
    ("# Twice\n\n%%time\nf()", "# Twice\n\n# Jupyter: %%time\nf()"),
    ("# All\n%%bash\nls # x\n# y", "# All\n# Jupyter: %%bash\n# Jupyter: ls # x\n# y"),
    ("\n%%capture out\nf()", "\n# Jupyter: %%capture out\nf()"),
    ("%%html\n<b>\n\nx = !y", "# Jupyter: %%html\n# Jupyter: <b>\n\n# Jupyter: x = !y"),
    ("!wget a \\\n    -O b\nf()", 'subprocess.run("wget a -O b", shell=True)  # Jupyter: !wget a -O b\nf()'),
]
PYTHON = [
    "x = 7 \\\n% 2",
    "x = (7\n% url)",
    "x = '''\n%matplotlib inline\n!ls\n'''",
    "f(\n    'a'  # (\n)\n",
    "x = [\n  1,\n]\n# %matplotlib inline\n",
    "s = 'a?'",
    "url != 1",
    "",
]


def translated(text: str) -> tuple[Translation, str]:
    translation = Translation("Jupyter", python_words(["url = 1"]))
    return translation, translation.python(text, 1)


@pytest.mark.parametrize(("text", "expected"), LINES)
def test_what_is_no_python_becomes_some(text: str, expected: str) -> None:
    _, python = translated(text)
    assert python == expected
    ast.parse(python)


@pytest.mark.parametrize("text", [line for line, _ in LINES])
def test_and_back(text: str) -> None:
    translation, python = translated(text)
    assert translation.notebook(python) == text


@pytest.mark.parametrize("text", ["!ls", "%time f(1)", "!wget a \\\n    -O b"])
def test_back_under_a_guard(text: str) -> None:
    translation, python = translated(text)
    assert translation.notebook(f"if first:\n    {python}  # corro: effects, a-b") == f"if first:\n    {text}"


@pytest.mark.parametrize("text", PYTHON)
def test_python_stays(text: str) -> None:
    translation, python = translated(text)
    assert python == text
    assert not translation.remarks
    assert not translation.imports


def test_a_margin_goes() -> None:
    assert translated("\n    x = 1\n    if x:\n        y = 2\n")[1] == "\nx = 1\nif x:\n    y = 2\n"


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("%run other.py", "refused"), ("%pylab inline", "refused"), ("x = %timeit -o f()", "refused"),
        ("%timeit f()", "review"), ("%%bash\nls", "review"), ("%%writefile a.py\nx = 1", "review"),
        ("!pip install a", "note"),
    ],
)  # fmt: skip
def test_what_a_script_cannot_do_is_said(text: str, level: str) -> None:
    translation, python = translated("\n" + text)
    ast.parse(python)
    assert [(remark.level, bool(remark.advice)) for remark in translation.remarks] == [(level, True)]
