# Two commands: `make scan` and `make test`. Each sets up what it needs in .venv first.
PYTHON ?= python3
REPO ?= sample_repos/python_service
