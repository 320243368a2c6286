"""Replay files, gzipped or plain by content or name."""

import gzip
import zlib
from io import BytesIO
from pathlib import Path
from typing import Final

from .replay import Replay, ReplayError, parse_replay

MOST_BYTES: Final = 16 * 1024 * 1024
"""Maximum size, packed or unpacked. No match exceeds it."""

_GZIP_MAGIC: Final = b"\x1f\x8b"


def read_replay(path: str | Path) -> Replay:
    """Reads a `.jsonl` or `.jsonl.gz` file. Raises ReplayError, or OSError."""
    return parse_replay(read_replay_text(path))


def read_replay_text(path: str | Path) -> str:
    """Reads the text of a file, gzipped or plain. Raises ReplayError, or OSError."""
    with Path(path).open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if data.startswith(_GZIP_MAGIC):
        data = _unzip(data)
    if len(data) > MOST_BYTES:
        raise ReplayError("it is too long for a replay")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise ReplayError("it is not UTF-8 text") from None


def _unzip(data: bytes) -> bytes:
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as file:
            return file.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ReplayError(f"the gzip file is damaged ({error})") from None


def write_replay(path: str | Path, text: str) -> None:
    """Writes a replay, gzipped if the name ends with `.gz`."""
    data = text.encode("utf-8")
    # No time in the gzip header, so that files are reproducible.
    Path(path).write_bytes(gzip.compress(data, mtime=0) if str(path).endswith(".gz") else data)
