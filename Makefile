# Every target works from a bare clone: it makes .venv with `python3 -m venv` and pip first.
# A stamp file per set of dependencies says what is installed already.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
SOURCES := src tests examples benchmarks

# Every command that a test starts would compile the whole package where nothing compiled may be kept.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow test-milvus test-ray test-local-model check format bench clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/core.stamp ## load the example documents and answer a question that needs three of them
	@$(BIN)/leadline demo

test: $(VENV)/dev.stamp ## the test suite without its slow tests
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow and not ray and not local_model"

test-slow: $(VENV)/dev.stamp ## the slow tests
	$(BIN)/python -m pytest tests -n 2 --dist worksteal -m "slow and not milvus and not ray and not local_model"

test-milvus: $(VENV)/dev.stamp ## the tests on a real Milvus server, of which a machine runs one at a time
	$(BIN)/python -m pytest tests -m milvus

test-ray: $(VENV)/dev.stamp ## the tests on a Ray cluster of two workers, one test at a time
	$(BIN)/python -m pytest tests -m ray

test-local-model: $(VENV)/dev.stamp ## example questions for a small model on this machine, fetched once (93 MB)
	$(BIN)/python -m leadline.testing.weights || echo "no weights: these tests are skipped and say so"
	$(BIN)/python -m pytest tests -m local_model -rs

check: $(VENV)/dev.stamp ## format, lint, types, import contract (the house rules are tests: `make test`)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/pyright
	$(BIN)/lint-imports --no-cache

format: $(VENV)/dev.stamp ## rewrite the sources in house format
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

bench: $(VENV)/bench.stamp ## measure loading, the example questions, the store next to milvus-lite, a million chunks (an hour)
	$(BIN)/python -m benchmarks.load
	$(BIN)/python -m benchmarks.examples
	$(BIN)/python -m benchmarks.models
	$(BIN)/python -m benchmarks.store
	$(BIN)/python -m benchmarks.hnsw
	$(BIN)/python -m benchmarks.million

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis build dist

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Leadline needs Python 3.11 or newer: make PYTHON=python3.12 ..." >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/core.stamp: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e .
	@touch $@

$(VENV)/dev.stamp: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e '.[dev]'
	@touch $@ $(VENV)/core.stamp

$(VENV)/bench.stamp: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e '.[bench]'
	@touch $@ $(VENV)/core.stamp
