# Everything here makes its own environments; Python 3.10 or later and make are enough to begin with. The tests need
# Python 3.10 or 3.11, for which TensorFlow 2.15 has packages.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO_DONE := $(VENV)/.demo
DEV_DONE := $(VENV)/.dev
HOROVOD_DONE := $(VENV)/.horovod
BROWSER_DONE := $(VENV)/.browser
NODE_DONE := explorer/node_modules/.package-lock.json
KERAS_VENV := .venv-keras
KERAS_DONE := $(KERAS_VENV)/.dev
# Most tests wait or have two processes of their own: more at a time than this gains nothing.
SPREAD := --numprocesses=auto --maxprocesses=4 --dist=worksteal
# Else each process that a test starts compiles all modules that it imports: a second, hundreds of times.
unexport PYTHONDONTWRITEBYTECODE
PIP_INSTALL := -m pip install --disable-pip-version-check --quiet

.PHONY: explorer explorer-site screens help demo test lint types unit coverage docs bench mutations fuzz fuzz-planted clean

help:
	@echo "make demo   convert a sequential script and train it on two processes"
	@echo "make test   all tests and checks, Horovod's included (the first time builds it: some minutes)"
	@echo "make coverage  the tests once more, with the lines that none of them reaches"
	@echo "make docs   write again what the documents take from the code, and build their site"
	@echo "make bench  the measurements of benchmarks/ (that compiling has not become slower is one of the tests)"
	@echo "make mutations  break right programs in known ways, see that corro verify finds it, write the record"
	@echo "make screens  play a new user's way in a terminal, and write the screens of tests/newcomer, to be read"
	@echo "make fuzz N=2000 SEED=0  compose scripts, convert them, hold what they do against the sequential run"
	@echo "make fuzz-planted  plant a mistake in one rule after the other, see that composed scripts find it"
	@echo "make explorer  build the page of corro explore again, after explorer/src changed"
	@echo "make explorer-site  that page as a static site, with Python in WebAssembly: build/explorer-site"
	@echo "make clean  remove the environment and what tools left"

demo: $(DEMO_DONE)
	$(BIN)/corro run examples/pytorch/digits_cnn.py -n 2

test: lint types unit

lint: $(DEV_DONE)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

types: $(DEV_DONE)
	$(BIN)/mypy

unit: $(HOROVOD_DONE) $(KERAS_DONE) $(BROWSER_DONE) $(NODE_DONE)
	$(BIN)/pytest $(SPREAD)
	$(KERAS_VENV)/bin/pytest $(SPREAD)

coverage: $(HOROVOD_DONE)
	$(BIN)/pytest $(SPREAD) --anew --cov --cov-report=term

# The page's editors, from explorer/src and the packages named there, in one file.
explorer: $(NODE_DONE)
	cd explorer && npm run build

explorer-site: $(NODE_DONE)
	$(PYTHON) tools/explorer_site.py build/explorer-site

docs: $(DEV_DONE)
	$(BIN)/corro explain --all > docs/rules.md
	$(BIN)/python tools/support_tables.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(HOROVOD_DONE)
	$(BIN)/python benchmarks/compile_speed.py
	$(BIN)/python benchmarks/generated_vs_handwritten.py
	$(BIN)/python benchmarks/verify_cost.py

mutations: $(HOROVOD_DONE) $(KERAS_DONE)
	$(BIN)/python tests/mutations/table.py --write
	$(KERAS_VENV)/bin/python tests/mutations/table.py --write --only jax

screens: $(DEV_DONE)
	PYTHONPATH=tests $(BIN)/python -m newcomer.screens --write

N := 2000
SEED := $(shell date +%s)
fuzz: $(HOROVOD_DONE)
	PYTHONPATH=tests:tests/parity $(BIN)/python -m fuzz.run -n $(N) --seed $(SEED)

fuzz-planted: $(HOROVOD_DONE)
	PYTHONPATH=tests:tests/parity $(BIN)/python -m fuzz.planted

# The tests of the explorer look at it in Chromium.
$(BROWSER_DONE): $(DEV_DONE)
	command -v chromedriver || { apt-get update -qq && apt-get install -y -qq chromium chromium-driver; } || \
		{ echo "install Chromium and chromedriver, for the tests of corro explore" >&2; exit 1; }
	touch $@

# What the page is made of, and Pyodide, of which a test makes the static site.
$(NODE_DONE): explorer/package-lock.json
	command -v npm || { apt-get update -qq && apt-get install -y -qq nodejs npm; } || \
		{ echo "install Node.js with npm, for the explorer as a static site" >&2; exit 1; }
	cd explorer && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

clean:
	rm -rf $(VENV) $(KERAS_VENV) .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache .fuzz build dist explorer/node_modules

$(VENV)/pyvenv.cfg:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Corro needs Python 3.10 or later")'
	$(PYTHON) -m venv $(VENV)

$(DEMO_DONE): pyproject.toml | $(VENV)/pyvenv.cfg
	$(BIN)/python $(PIP_INSTALL) --editable '.[examples]'
	touch $@

$(DEV_DONE): pyproject.toml | $(VENV)/pyvenv.cfg
	$(BIN)/python -c 'import sys; sys.exit(sys.version_info >= (3, 12) and "TensorFlow 2.15 needs Python 3.10 or 3.11")'
	$(BIN)/python $(PIP_INSTALL) --editable '.[dev]'
	touch $@ $(DEMO_DONE)

$(KERAS_DONE): pyproject.toml
	$(PYTHON) -m venv $(KERAS_VENV)
	$(KERAS_VENV)/bin/python $(PIP_INSTALL) --editable '.[dev-keras]'
	touch $@

$(HOROVOD_DONE): $(DEV_DONE)
	$(BIN)/corro setup horovod
	touch $@
