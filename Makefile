# Everything happens in .venv; the system Python only creates it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Each worker begins with tests that lie together, which share what they set up, and helps the others in the end.
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet

# Data files that tests may use when they lie beside the checkout; without them those tests are skipped.
COVEY_DATA ?= $(abspath $(wildcard ../shared/datasets))
export COVEY_DATA

.DEFAULT_GOAL := help
.PHONY: help demo figures test test-slow test-faults check format bench bench-trees bench-spheres bench-neighbours \
        bench-subspaces bench-triskel bench-scale bench-compile bench-threads bench-growth bench-analysis bench-accuracy \
        bench-families docs release-check clean

help:  ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 30

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(PIP) -e ".[study]"
	@touch $@

$(VENV)/.installed-tools: pyproject.toml | $(BIN)/python
	$(PIP) -e ".[study,dask,data,test,bench]"
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-boosting: $(VENV)/.installed-tools
	$(PIP) -e ".[boosting]"
	@touch $@

$(VENV)/.installed-docs: pyproject.toml | $(BIN)/python
	$(PIP) -e ".[docs]"
	@touch $@

$(VENV)/.installed-release: | $(BIN)/python
	$(PIP) "build>=1.2" "twine>=6.1" "uv>=0.5" "packaging>=24.2"
	@touch $@

demo: $(VENV)/.installed  ## compare ensembles on embedded data and write a report
	$(BIN)/covey compare breast_cancer --budget 90s --out build/demo

figures: $(VENV)/.installed-tools  ## compare the multi-strategy systems on embedded data and draw every figure
	$(BIN)/python examples/figures.py --out build/figures

test: $(VENV)/.installed-tools  ## run the suite but the tests of the next two
	$(PYTEST) -m "not slow" --ignore=tests/faults

test-slow: $(VENV)/.installed-tools  ## run the slow tests
	$(PYTEST) -m slow --ignore=tests/faults

test-faults: $(VENV)/.installed-tools  ## kill, starve and damage running studies, load them with cells, and forge model files
	$(PYTEST) tests/faults

check: $(VENV)/.installed-tools  ## lint, check the format and the types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.installed-tools  ## format and mend what the linter can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.installed-tools  ## compare speed and accuracy with scikit-learn's ensembles
	$(BIN)/python benchmarks/ensembles.py
	$(BIN)/python benchmarks/subspaces.py --parts logistic linear

bench-trees: $(VENV)/.installed-tools  ## compare C4.5 and its ensembles with scikit-learn, Weka and aeon
	$(BIN)/python benchmarks/trees.py

bench-spheres: $(VENV)/.installed-tools  ## compare sphere covers and their ensembles with scikit-learn
	$(BIN)/python benchmarks/spheres.py

bench-neighbours: $(VENV)/.installed-tools  ## compare nearest neighbours over feature subsets with scikit-learn
	$(BIN)/python benchmarks/neighbours.py

bench-subspaces: $(VENV)/.installed-tools  ## compare linear and logistic models over random columns with scikit-learn
	$(BIN)/python benchmarks/subspaces.py

bench-scale: $(VENV)/.installed-tools  ## fit every estimator as it is by default on up to 200,000 rows; an hour or two, resumed
	$(BIN)/python benchmarks/scale.py --page docs/scale.md $(ARGS)

bench-triskel: $(VENV)/.installed-tools  ## compare Triskel with AdaBoost over linear SVMs
	$(BIN)/python benchmarks/triskel.py

bench-compile: $(VENV)/.installed-tools  ## time the first fit of each family from an empty cache, and from a full one
	$(BIN)/python benchmarks/compiling.py

bench-threads: $(VENV)/.installed-tools  ## compare ensembles on two threads with one; wants a quiet machine
	$(BIN)/python benchmarks/threads.py $(ARGS)

bench-growth: $(VENV)/.installed-tools  ## carry out 100,000 cells, killed half-way, on local processes and on Dask
	$(BIN)/python benchmarks/growth.py $(ARGS)

bench-analysis: $(VENV)/.installed-tools  ## time diversity, decompositions and rank tests at full size
	$(BIN)/python benchmarks/measures.py

bench-accuracy: $(VENV)/.installed-boosting  ## compare accuracy with scikit-learn and boosting packages; hours, resumed
	$(BIN)/python benchmarks/accuracy.py $(ARGS)

bench-families: $(VENV)/.installed-boosting  ## study which family of ensembles wins on which data; hours, resumed
	$(BIN)/python benchmarks/families.py $(ARGS)

docs: $(VENV)/.installed-docs  ## build the documentation into build/docs
	$(BIN)/python -m sphinx -W -q -j auto docs build/docs
	@echo "open build/docs/index.html"

release-check: $(VENV)/.installed-release  ## build the release, look into it and use it in fresh environments
	$(BIN)/python tools/release/check.py $(if $(PYTHONS),--pythons "$(PYTHONS)") $(ARGS)

clean:  ## remove what the commands made
	rm -rf $(VENV) build dist docs/auto_examples docs/generated .pytest_cache .mypy_cache .ruff_cache .hypothesis
