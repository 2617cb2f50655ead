"""Files that visitors bring: good ones, odd ones and bad ones, all small."""

import gzip
import io

import numpy as np


def table(
    rows: int = 60, classes=("fox", "wolf"), separator: str = ",", scale: float = 1.0
) -> bytes:
    rng, out = np.random.default_rng(rows), io.StringIO()
    out.write(separator.join(("length", "width", "height", "kind")) + "\n")
    for k in range(rows):
        cells = [f"{v:.3f}" for v in scale * rng.normal(k % len(classes), 1.0, 3)]
        out.write(separator.join((*cells, classes[k % len(classes)])) + "\n")
    return out.getvalue().encode()


def libsvm(rows: int = 50, d: int = 300) -> bytes:
    rng = np.random.default_rng(1)
    lines = []
    for k in range(rows):
        columns = sorted(rng.choice(d, 8, replace=False))
        lines.append(
            f"{'+1' if k % 2 else '-1'} " + " ".join(f"{j + 1}:{rng.random():.3f}" for j in columns)
        )
    return "\n".join(lines).encode()


FILES = {
    "animals.csv": table,
    "three.csv": lambda: table(90, ("a", "b", "c")),
    "german.csv": lambda: table(40, separator=";"),
    "wide.csv": lambda: table(50, scale=1e4),
    "text.libsvm": libsvm,
    "packed.csv.gz": lambda: gzip.compress(table(30)),
    "one.csv": lambda: table(20, ("same",)),
    "empty.csv": lambda: b"",
    "noise.csv": lambda: bytes(range(256)) * 9,
    "short.csv": lambda: b"a,b\n1,2\n",
    "html.csv": lambda: b"<img src=x onerror=alert(1)>,kind\n1,a\n2,b\n3,a\n4,b\n",
}
