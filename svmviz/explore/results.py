"""Rows in files: a Parquet file that holds the sweep, too, and a journal beside it that survives a
kill.

While a sweep runs, its rows are appended to an Arrow stream in the folder `<name>.parts` as they
come, and every second they are forced to the disk. Whatever ends the process, all rows are there,
but for the last second where the machine itself goes down; a batch that was cut off in the middle
is left out when the stream is read. At the end all rows are put into one file, which takes the
place of the old one at once.

Nothing here is ever unpickled, and a file is read as one that anybody may have made: the columns
must be ours, of our types, in our bounds, and no more than a million rows.
"""

import os
import shutil
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from svmviz.explore import rows as store
from svmviz.explore import specfile
from svmviz.explore.rows import OPTIMUM, REFUSED, ROW, UNSETTLED, Rows
from svmviz.explore.spec import Spec
from svmviz.work.words import brief, count

MOST_ROWS, MOST_BYTES = 1_200_000, 500_000_000
DURABLE = 1.0  # seconds between two times that what was written is forced to the disk
ABOUT = b"svmviz.sweep"
UNUSABLE = "this file holds no results that can be used"
REASON = 300  # characters
TYPES = {
    "i1": pa.int8(),
    "i2": pa.int16(),
    "i4": pa.int32(),
    "i8": pa.int64(),
    "f8": pa.float64(),
    "V16": pa.binary(16),
}
SCHEMA = pa.schema(
    [*((name, TYPES[ROW[name].str.lstrip("|<")]) for name in ROW.names), ("reason", pa.string())]
)


def batch(rows: Rows) -> pa.RecordBatch:
    """The rows as Arrow has them."""
    table = rows.table
    columns = [
        pa.array(
            table[name].tolist() if name == "key" else np.ascontiguousarray(table[name]),
            SCHEMA.field(name).type,
        )
        for name in ROW.names
    ]
    reasons = (
        [rows.reasons.get(key, "")[:REASON] for key in table["key"].tolist()]
        if rows.reasons
        else [""] * len(table)
    )
    return pa.RecordBatch.from_arrays([*columns, pa.array(reasons, pa.string())], schema=SCHEMA)


def unbatched(table: pa.Table) -> Rows:
    """The rows of a table that has our columns; a `ValueError` where these hold what no row has."""
    found = np.empty(len(table), ROW)
    for name in ROW.names:
        column = table.column(name)
        if column.null_count:
            raise ValueError(f"the column {name} has gaps")
        found[name] = (
            np.frombuffer(b"".join(column.to_pylist()), "V16")
            if name == "key"
            else column.to_numpy()
        )
    keys, reasons = found["key"].tolist(), table.column("reason").to_pylist()
    return Rows(
        found,
        {
            key: str(text or "")[:REASON]
            for key, text, status in zip(keys, reasons, found["status"].tolist(), strict=True)
            if status == REFUSED
        },
    )


def write(path: Path, text: str, rows: Rows) -> None:
    """Put rows into a file with the TOML of their sweep; there is the old file or the new one,
    never half of one.
    """
    whole = pa.Table.from_batches([batch(rows)]).replace_schema_metadata({ABOUT: text.encode()})
    there = path.with_name(path.name + ".new")
    with there.open("wb") as file:
        pq.write_table(whole, file, compression="zstd")
        file.flush()
        os.fsync(file.fileno())
    there.replace(path)


def read(source: Path | bytes, folder: Path | None = Path()) -> tuple[Spec, Rows]:
    """The sweep of a file and its rows; a data file that it names is looked for in `folder`, if
    there is one. A `ValueError` says why it cannot be used.
    """
    text, rows = raw(source)
    try:
        spec = specfile.read(text, folder)
    except ValueError as error:
        raise ValueError(f"{UNUSABLE}: {brief(error, 200)}") from None
    return spec, rows.matching(spec)


def raw(source: Path | bytes) -> tuple[str, Rows]:
    """What a file says of its sweep, and all of its rows."""
    try:
        size = len(source) if isinstance(source, bytes) else source.stat().st_size
        if size > MOST_BYTES:
            raise ValueError(f"it has {count(size)} bytes, more than {count(MOST_BYTES)}")
        text, table = opened(pa.BufferReader(source) if isinstance(source, bytes) else source)
        return text, checked(unbatched(table))
    except (OSError, ValueError, pa.ArrowException) as error:
        raise ValueError(f"{UNUSABLE}: {brief(error, 200)}") from None


def opened(source) -> tuple[str, pa.Table]:
    """What a Parquet file says of its sweep, and its columns, if they are ours."""
    with pq.ParquetFile(source) as file:
        about = file.metadata
        unpacked = sum(about.row_group(k).total_byte_size for k in range(about.num_row_groups))
        if about.num_rows > MOST_ROWS or unpacked > MOST_BYTES:
            raise ValueError(f"it has {count(about.num_rows)} rows, more than can be shown")
        if not file.schema_arrow.equals(SCHEMA):
            raise ValueError("its columns are not those of a sweep")
        return (file.schema_arrow.metadata or {}).get(ABOUT, b"").decode(), file.read()


def checked(rows: Rows) -> Rows:
    """These rows, if they can be some."""
    table = rows.table
    if len(table) and (
        table["status"].min() < 0
        or table["status"].max() > UNSETTLED
        or table["tested"].min() < 0
        or table["seed"].min() < OPTIMUM
        or np.isinf(table["error"]).any()
    ):
        raise ValueError("some of its rows hold what no fit can give")
    return rows


class Journal:
    """Rows appended beside a file of results until all of them are in it."""

    def __init__(self, path: Path):
        self.path, self.folder = path, path.with_name(path.name + ".parts")
        self.file = self.writer = None
        self.forced = time.monotonic()

    def read(self) -> Rows:
        """All rows of earlier starts, each once."""
        parts = [part for path in sorted(self.folder.glob("*.arrow")) for part in streamed(path)]
        found = store.joined(parts)
        return Rows(found.table[sorted(found.places().values())], found.reasons)

    def append(self, rows: Rows) -> None:
        if self.writer is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            names = (self.folder / f"{k:06}.arrow" for k in range(1_000_000))
            self.file = next(name for name in names if not name.exists()).open("xb")
            self.writer = pa.ipc.new_stream(self.file, SCHEMA)
        self.writer.write_batch(batch(rows))
        self.file.flush()  # a kill of this process takes nothing with it, only that of the machine
        if time.monotonic() - self.forced >= DURABLE:
            self.force()

    def force(self) -> None:
        """What was written is on the disk when this returns."""
        if self.file is not None:
            self.file.flush()
            os.fsync(self.file.fileno())
        self.forced = time.monotonic()

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
            self.force()
            self.file.close()
        self.file = self.writer = None

    def remove(self) -> None:
        """All rows are in the file."""
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def streamed(path: Path) -> list[Rows]:
    """What is whole of a stream that may have been cut off."""
    found = []
    try:
        with path.open("rb") as file, pa.ipc.open_stream(file) as stream:
            if not stream.schema.equals(SCHEMA):
                return []
            for part in stream:
                found.append(unbatched(pa.Table.from_batches([part])))
    except (pa.ArrowException, OSError):  # the end of it is missing
        pass
    return found
