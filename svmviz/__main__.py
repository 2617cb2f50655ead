"""The command line where no `svmviz` command is installed: `python -m svmviz`."""

import sys

from svmviz.cli import main

if __name__ == "__main__":
    sys.exit(main())
