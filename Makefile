# Every target sets up .venv by itself: on a fresh machine `make demo` or `make test` is all it takes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
WORKERS ?= 2

.PHONY: demo test test-all mutants lint format bench clean

demo: $(VENV)/base
	$(BIN)/python examples/copeland_on_sushi.py --out demo

test: $(VENV)/test
	$(BIN)/python -m pytest -n $(WORKERS)

test-all: $(VENV)/test
	$(BIN)/python -m pytest -n $(WORKERS) -m "slow or not slow"

mutants: $(VENV)/test
	$(BIN)/python -m tests.mutants --workers $(WORKERS)

lint: $(VENV)/lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/test
	@OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python -m tests.benchmarks $(ARGS)

clean:
	rm -rf $(VENV) demo results dist build

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/base: pyproject.toml | $(VENV)/bin/python
	$(PIP) install -e .
	touch $@

$(VENV)/test $(VENV)/lint: $(VENV)/%: $(VENV)/base
	$(PIP) install -e ".[$*]"
	touch $@
