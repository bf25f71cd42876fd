# Two commands: `make scan` and `make test`. Each first sets up what it needs in .venv; a second run is instant.
PYTHON ?= python3
REPO ?= sample_repos/python_service
MINUTES ?= 60

BIN := .venv/bin
READY := .venv/.ready
NATIVE := .venv/.native
SITE := .venv/site

.PHONY: scan test fuzz docs site lock

scan: $(NATIVE)
	@$(BIN)/crimes scan --root "$(REPO)"

# Hundreds of tests start the command: without compiled modules each would compile them all again.
test: export PYTHONDONTWRITEBYTECODE :=
test: $(NATIVE)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python docs/generate.py --check
	$(BIN)/python docs/schema.py --check
	$(BIN)/python docs/picture.py --check
	$(BIN)/python -m pytest -n 2
	@$(BIN)/python tests/kit/browser.py

# Feeds every reader of untrusted bytes with mutants, for hours: `make fuzz MINUTES=600`.
fuzz: $(READY)
	$(BIN)/python tests/hostile/fuzz.py --minutes $(MINUTES)

# Writes what is generated: detector pages, JSON Schemas, the picture of a scan, the expected reports of the sample repositories.
docs: $(READY)
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/schema.py
	$(BIN)/python docs/picture.py
	$(BIN)/python tests/kit/sample_history.py --update

# Builds the documents as a site, in site/. It has an environment of its own: `make lock` is not to see what it needs.
site: $(SITE)/.ready
	@NO_MKDOCS_2_WARNING=1 $(SITE)/bin/mkdocs build --strict

$(SITE)/.ready: pyproject.toml
	@$(PYTHON) -m venv $(SITE)
	@$(SITE)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(SITE)/bin/python -m pip install --quiet --disable-pip-version-check --group site
	@touch $@

# Takes over what the newest versions within the limits of pyproject.toml are.
lock: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --upgrade-strategy eager --editable . --group dev
	@{ head -n 1 constraints-dev.txt; $(BIN)/python -m pip freeze --exclude-editable; } > constraints-dev.new && mv constraints-dev.new constraints-dev.txt

# pip learned `--group` in 25.1, and the one a new environment starts with is often older.
$(READY): pyproject.toml constraints-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14) and "crimes needs Python 3.11 to 3.14, this is " + sys.version.split()[0] + "; choose one with PYTHON=python3.13")'
	@echo "Setting up .venv (once)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev --constraint constraints-dev.txt
	@touch $@

# The native reader, where there is a compiler for it. Whatever fails here, the Python reader does the work.
$(NATIVE): $(READY) native/Cargo.toml native/Cargo.lock native/.cargo/config.toml $(wildcard native/src/*.rs native/src/hooks/*.rs)
	@if command -v cargo > /dev/null; then \
		echo "Building the native reader (once; optional)"; \
		(cd native && cargo build --quiet --release --locked) > .venv/native.log 2>&1 \
			&& $(BIN)/python native/install.py \
			|| echo "It could not be built, so the Python reader is used: .venv/native.log says why"; \
	fi
	@touch $@
