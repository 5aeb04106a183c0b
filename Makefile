# Two commands do everything: `make run` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: run test lint types layers unit soak bench lock clean

run: $(VENV)/run.stamp
	$(BIN)/python -m bot

test: lint types layers unit

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev.stamp
	$(BIN)/mypy

layers: $(VENV)/dev.stamp
	$(BIN)/lint-imports

unit: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -m "not slow"

soak: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -m slow

bench: $(VENV)/dev.stamp
	$(BIN)/python -m benchmarks

# Needs uv (`pip install uv`); the lock files carry versions and hashes, never addresses.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --no-emit-index-url --no-header --generate-hashes pyproject.toml -o requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --no-emit-index-url --no-header --generate-hashes pyproject.toml --group dev -c requirements.lock -o requirements-dev.lock

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: $(VENV)/bin/python requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	@touch $@

$(VENV)/dev.stamp: $(VENV)/bin/python requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.lock
	@touch $@ $(VENV)/run.stamp
