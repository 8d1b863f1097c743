# Two commands for a newcomer: `make demo` needs nothing but Python; `make test` sets itself up in .venv, once.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
NEW_ENOUGH := $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Holdfast needs Python 3.11 or newer; set PYTHON=python3.11")'

.PHONY: demo test check promises test-hosts bench bench-brief fuzz mutants lock clean help

help:
	@echo "make demo      the whole story in one go, on a throw-away workspace"
	@echo "make test      checks and all tests that need no other program's install"
	@echo "make promises  the promises of docs/promises.md alone"
	@echo "make test-hosts  inside the real hosts, fetched from npm, with a model of our own"
	@echo "make bench     every number of docs/performance.md, as ratios in one run"
	@echo "make bench-brief  what briefs bring back of real sessions and talks that lie beside the repository"
	@echo "make fuzz      long fuzzing of the parsers (FUZZ_SECONDS=60)"
	@echo "make mutants   do the tests find out what breaks? (MUTANTS=40 of each module; takes hours)"
	@echo "make lock      write requirements-*.txt anew from requirements-*.in"

$(READY): requirements-dev.txt requirements-vectors.txt pyproject.toml
	@$(NEW_ENOUGH)
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps --only-binary :all: --upgrade \
		--target .venv/vectors -r requirements-vectors.txt || echo "No vectors for this Python; their tests will say so."
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	$(BIN)/python -m compileall -q src
	@touch $(READY)

# From the source as it is: it has no dependencies, and whoever has a minute does not want to spend it on an install.
demo:
	@$(NEW_ENOUGH)
	@PYTHONPATH=src $(PYTHON) -m holdfast demo

check: $(READY)
	$(BIN)/ruff check src tests bench
	$(BIN)/mypy

test: check
	$(BIN)/pytest -n 2

promises: $(READY)
	$(BIN)/pytest -n 2 tests/promises

test-hosts: $(READY)
	HOLDFAST_HOSTS=1 $(BIN)/pytest -n 2 --dist loadfile tests/hosts

bench: $(READY)
	$(BIN)/python bench/run.py

bench-brief: $(READY)
	$(BIN)/python bench/brief.py

FUZZ_SECONDS ?= 60
fuzz: $(READY)
	$(BIN)/python -m pip install -q --disable-pip-version-check 'atheris>=3,<4'
	$(BIN)/python tests/fuzz.py $(FUZZ_SECONDS)

MUTANTS ?= 40
mutants: $(READY)
	$(BIN)/python tests/mutants.py --each $(MUTANTS)

lock: $(READY)
	$(BIN)/python -m pip install -q --disable-pip-version-check 'uv>=0.9,<1'
	$(BIN)/uv pip compile -q --upgrade --generate-hashes --universal --python-version 3.11 --no-annotate --no-header \
		-o requirements-dev.txt requirements-dev.in
	$(BIN)/uv pip compile -q --upgrade --no-deps --generate-hashes --universal --python-version 3.11 --no-annotate --no-header \
		-o requirements-vectors.txt requirements-vectors.in

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .bench
