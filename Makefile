# `make app` sets everything up and opens the app; `make test` sets everything up and runs the tests.
PYTHON ?= python3.11
VENV ?= .venv
BIN := $(VENV)/bin
export HF_HUB_OFFLINE := 1
export STREAMLIT_BROWSER_GATHER_USAGE_STATS := false

.PHONY: app test index setup lint pictures recipe constraints clean

app: setup
	$(BIN)/kb serve

test: index
	$(BIN)/python -m pytest -n 2 --dist loadfile

index: setup
	$(BIN)/kb build

setup: $(VENV)/ready

$(VENV)/ready: pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo "make: Python 3.11 is needed: install it, or name another with PYTHON=python3.x"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/kb lint
	$(BIN)/kb check

pictures: setup
	$(BIN)/python benchmarks/pictures.py

recipe: setup
	$(BIN)/python -m kb.export

constraints: setup
	$(BIN)/python -m pip freeze --exclude-editable | sed 's/+cpu$$//' > constraints.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache artifacts
