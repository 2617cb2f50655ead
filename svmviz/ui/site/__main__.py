"""`svmviz site` as a process of its own: Streamlit runs the pages in it."""

import argparse
import sys
import time
from pathlib import Path

from svmviz.ui import site


def main() -> int:
    given = argparse.ArgumentParser("svmviz site")
    given.add_argument("--out", type=Path, required=True)
    given.add_argument("--home", default="")
    given.add_argument("--force", action="store_true")
    known, begun = given.parse_args(), time.monotonic()
    try:
        site.fits(known.out, known.force)
        files = site.build(
            known.home, lambda line: print(f"{time.monotonic() - begun:5.0f} s  {line}", flush=True)
        )
        site.write(files, known.out)
    except (ValueError, OSError) as error:
        print(f"svmviz: {error}", file=sys.stderr)
        return 2
    size = sum(map(len, files.values())) / 1e6
    print(
        f"{len(files)} files, {size:.1f} MB, in {time.monotonic() - begun:.0f} s; to look at them: "
        f"python -m http.server -d {known.out}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
