# The words of this project. Each sets up what it needs.

PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin/python

.DEFAULT_GOAL := help
.PHONY: help serve test check bench bench-quick agreement fuzz conversation conformance

help: ## Say what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

# One stamp file: installing again is needed exactly when pyproject.toml changed.
$(VENV)/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Yiku needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade pip
	@echo "Installing into $(VENV): about a minute the first time"
	$(RUN) -m pip install --quiet --editable '.[dev]'
	touch $@

serve: $(VENV)/installed ## Start the server on the embedded default
	@$(VENV)/bin/yiku serve

# One process more than there are cores: many tests wait for servers of theirs.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

test: $(VENV)/installed ## Run every test, WORKERS at a time
	$(RUN) -m pytest --numprocesses $(WORKERS) --maxprocesses 8 --dist worksteal

check: $(VENV)/installed ## Lint, format, types, structure: fast
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(RUN) -m pytest tests/tidy tests/docs

bench: $(VENV)/installed ## Retrieval quality, scores and speed of memories and documents, in full: an hour, the first time hours
	$(RUN) -m bench.retrieval
	$(RUN) -m bench.retrieval --sessions locomo_a madial_zh
	$(RUN) -m bench.calibration
	$(RUN) -m bench.knowledge
	$(RUN) -m bench.case_files
	$(RUN) -m bench.knowledge_calibration
	$(RUN) -m bench.speed
	$(RUN) -m bench.transfer
	$(RUN) -m bench.knowledge_speed
	$(RUN) -m bench.ingestion

bench-quick: $(VENV)/installed ## The same, sampled: minutes
	$(RUN) -m bench.retrieval --quick
	$(RUN) -m bench.speed --quick
	$(RUN) -m bench.transfer --quick
	$(RUN) -m bench.knowledge_speed --quick

agreement: $(VENV)/installed ## Whether both engines answer every question of the retrieval sets alike
	$(RUN) -m bench.agreement --quick

fuzz: $(VENV)/installed ## Fuzz the REST door by its OpenAPI document, on both engines: a quarter of an hour
	YIKU_FUZZ_EXAMPLES=$${YIKU_FUZZ_EXAMPLES:-100} $(RUN) -m pytest tests/wire/opensearch_rest/test_fuzz.py

conversation: $(VENV)/installed ## A whole conversation in, twenty of its questions out
	$(RUN) -m bench.conversation

conformance: $(VENV)/installed ## The official MCP conformance suite and inspector against a server of ours (needs npm)
	$(RUN) -m bench.conformance
