# The one door: every target sets up .venv by itself on a fresh machine.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check -q
SOURCES := pyproject.toml CMakeLists.txt constraints.txt src/concordant/_version.py $(wildcard src/concordant/*/native/*)
TESTS ?= tests

.PHONY: demo test lint format bench fuzz docs reproduce clean

demo: $(VENV)/core
	$(BIN)/python examples/demo.py

test: lint
	$(BIN)/pytest $(TESTS)

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/dev
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/statistics.py
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/lexical.py

fuzz: $(VENV)/dev
	$(BIN)/python fuzz/run.py --seconds 60

docs: $(VENV)/core
	$(BIN)/python docs/generate.py

reproduce: $(VENV)/core
	$(BIN)/concordant reproduce all

clean:
	rm -rf $(VENV) build dist demo-output

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip

$(VENV)/core: $(BIN)/python $(SOURCES)
	$(PIP) install -c constraints.txt --editable .
	@touch $@

$(VENV)/dev: $(VENV)/core
	$(PIP) install -c constraints.txt --editable ".[dev]"
	@touch $@
