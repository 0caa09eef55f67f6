# Every target sets up .venv by itself: on a fresh machine `make demo` or `make test` is all it takes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
WORKERS ?= 2
PROSE := README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff docs models cpe_opt examples tests/benchmarks/README.md

.PHONY: demo test test-all environments mutants lint format bench docs clean

demo: $(VENV)/base
	@echo "The best sushi, a program and regret, into the folder demo: half a minute or so"
	@$(BIN)/python examples/copeland_on_sushi.py --out demo

test: $(VENV)/test
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

test-all: $(VENV)/test
	$(BIN)/python -m pytest -n $(WORKERS) -m "slow or not slow"

environments: $(VENV)/test
	$(BIN)/python -m tests.environments --workers $(WORKERS) $(ARGS)

mutants: $(VENV)/test
	$(BIN)/python -m tests.mutants --workers $(WORKERS)

lint: $(VENV)/lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.docs.typed
	$(BIN)/lint-imports
	$(BIN)/codespell $(PROSE)

format: $(VENV)/lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/test $(VENV)/bench
	@OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python -m tests.benchmarks $(ARGS)

docs: $(VENV)/docs
	$(BIN)/sphinx-build -W --keep-going -j $(WORKERS) -b html docs docs/_build/html

clean:
	rm -rf $(VENV) docs/_build demo results dist build

$(VENV)/bin/python:
	@echo "Creating $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/base: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing into $(VENV), once, some 900 MB: minutes (pip says nothing while it unpacks)"
	@$(PIP) install -c constraints.txt -e .
	@touch $@

$(VENV)/test $(VENV)/lint $(VENV)/docs $(VENV)/bench: $(VENV)/%: $(VENV)/base
	@echo "Installing what 'make $*' needs"
	@$(PIP) install -c constraints.txt -e ".[$*]"
	@touch $@
