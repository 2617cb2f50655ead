"""Bytes as text: what is packed is unpacked bit by bit, what is no text is refused by its real
kind.
"""

import bz2
import codecs
import gzip
import io
import lzma
import zlib
from typing import Any

from svmviz.data.uploads.table import Limits, Progress

PIECE = 2**18  # bytes unpacked at a time: all that an overlong file costs beyond the limit
STREAMS = 10_000  # that a packed file may consist of: each costs as much as kilobytes of data

PACKINGS = (  # first bytes of every stream in the file, name, module
    (b"\x1f\x8b", "gzip", gzip),
    (b"BZh", "bzip2", bz2),
    (b"\xfd7zXZ\0", "xz", lzma),
)
# first bytes, something further on, what it is: files that are taken for CSV, or were only renamed
KINDS = (
    (b"PK\x03\x04", b"xl/", "an Excel workbook"),
    (b"PK\x03\x04", b"opendocument.spreadsheet", "an OpenDocument spreadsheet"),
    (b"PK\x03\x04", b".npy", "a NumPy archive"),
    (b"PK\x03\x04", b"", "a ZIP archive"),
    (b"\xd0\xcf\x11\xe0", b"", "an old Excel workbook"),
    (b"%PDF-", b"", "a PDF document"),
    (b"\x89PNG\r\n", b"", "a PNG picture"),
    (b"\xff\xd8\xff", b"", "a JPEG picture"),
    (b"PAR1", b"\0", "a Parquet file"),
    (b"ARROW1\0", b"", "an Arrow file"),
    (b"\x89HDF\r\n", b"", "an HDF5 file"),
    (b"MATLAB 5.0 MAT-file", b"\0", "a MATLAB file"),
    (b"\x93NUMPY", b"", "a NumPy array"),
    (b"SQLite format 3\0", b"", "an SQLite database"),
    (b"\x28\xb5\x2f\xfd", b"", "a Zstandard file"),
    (b"7z\xbc\xaf", b"", "a 7-Zip archive"),
    *((b"\x80" + bytes([protocol]), b"", "a Python pickle") for protocol in range(2, 6)),
    *((start, b">", "a web page") for start in (b"<!doctype html", b"<!DOCTYPE html", b"<html")),
    *((start, b":", "a JSON file") for start in (b"[{", b'{"', b"{\n")),
    *((start, b"@", "a Weka file") for start in (b"@relation", b"@RELATION")),
)
ENCODINGS = (  # byte order mark, codec, name; without a mark, UTF-8 unless it cannot be
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)


def to_text(data: bytes, limits: Limits, progress: Progress) -> tuple[str, str]:
    """The text of an uploaded file, and a few words on how it was packed and encoded."""
    if len(data) > limits.packed:
        raise ValueError(
            f"The file has {len(data)} bytes; at most {limits.packed} ({megabytes(limits.packed)})"
            " are read"
        )
    packing = packing_of(data)
    if packing:
        data = unpacked(data, *packing, limits, progress)
        inner = packing_of(data)
        if inner:
            raise ValueError(
                f"The file is packed twice, {inner[1]} inside {packing[1]}; unpack it once and"
                " upload that"
            )
    for start, inside, kind in KINDS:
        if data.startswith(start) and inside in data:
            raise ValueError(
                f"The file is {kind}, not a table in plain text; save it as CSV and upload that"
            )
    text, encoding = decoded(data)
    if not text.strip():
        raise ValueError("The file is empty")
    return text, f"{encoding} text" + (f" packed with {packing[1]}" if packing else "")


def packing_of(data: bytes) -> tuple[bytes, str, Any] | None:
    """(first bytes, name, module); bzip2 shows more of itself there, for a column might be called
    BZh.
    """
    if data.startswith(b"BZh") and data[4:10] not in (b"1AY&SY", b"\x17rE8P\x90"):
        return None
    return next((packing for packing in PACKINGS if data.startswith(packing[0])), None)


def unpacked(
    data: bytes, start: bytes, name: str, module, limits: Limits, progress: Progress
) -> bytes:
    pieces, size, packed = [], 0, io.BytesIO(data)
    if data.count(start) > STREAMS:
        raise ValueError(
            f"The {name} file consists of more than {STREAMS} streams; pack it in one piece and"
            " upload that"
        )
    try:
        with module.open(packed) as stream:
            while piece := stream.read(PIECE):
                pieces.append(piece)
                size += len(piece)
                progress("Unpacking", packed.tell() / len(data))
                if size > limits.unpacked:
                    break
    except EOFError:
        raise ValueError(
            f"The {name} file ends too early, after {size} unpacked bytes; upload it again"
        ) from None
    except (
        OSError,
        zlib.error,
        lzma.LZMAError,
        MemoryError,
    ):  # MemoryError: xz names the memory it wants in its header
        raise ValueError(
            f"The {name} file is damaged after {size} unpacked bytes; upload it again"
        ) from None
    if size > limits.unpacked:
        raise ValueError(
            f"The {name} file unpacks to more than {megabytes(limits.unpacked)}, the most that is"
            " read"
        )
    return b"".join(pieces)


def decoded(data: bytes) -> tuple[str, str]:
    for mark, codec, name in ENCODINGS:
        if data.startswith(mark):
            try:
                text = data.decode(codec)
            except UnicodeDecodeError as error:
                raise ValueError(
                    f"The file is marked as {name}, but byte {error.start + 1} does not fit; "
                    "save it as CSV in UTF-8"
                ) from None
            break
    else:
        text, name = unmarked(data)
    if "\0" in text:
        raise ValueError(
            f"The file holds binary data (a NUL in place {text.index(chr(0)) + 1}), not text; save"
            " it as CSV"
        )
    return text, name


def unmarked(data: bytes) -> tuple[str, str]:
    """UTF-8, or else what Windows calls Latin-1: unlike the standard's it has codes that mean
    nothing, which tell junk.
    """
    try:
        return data.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1252"), "Latin-1"
    except UnicodeDecodeError as error:
        raise ValueError(
            f"The file holds binary data (byte {error.start + 1} is {data[error.start]:#04x}), not"
            " text; save it as CSV in UTF-8"
        ) from None


def megabytes(size: int) -> str:
    return f"{size / 2**20:g} MB"
