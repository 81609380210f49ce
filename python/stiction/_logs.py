"""Logs of other formats as arrays by name."""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = dict[str, npt.NDArray[np.float64]]


def _floats(values: Any) -> npt.NDArray[np.float64] | None:
    """One column as numbers; times as seconds since 1970, None where it has neither."""
    array = np.asarray(values)
    if array.ndim != 1:
        array = array.reshape(-1) if array.size == max(array.shape, default=0) else array
    if array.ndim != 1:
        return None
    if array.dtype.kind in "Mm":
        return array.astype(f"{array.dtype.kind}8[ns]").astype(np.int64).astype(np.float64) * 1e-9
    if array.dtype.kind in "biuf":
        return array.astype(np.float64)
    try:
        return np.array([np.nan if item is None else item for item in array], dtype=np.float64)
    except (TypeError, ValueError):
        return None


def _numbers(columns: Mapping[str, Any], name: str) -> Arrays:
    """The columns that have numbers; several columns of one array get numbers."""
    found: Arrays = {}
    for key, values in columns.items():
        array = np.asarray(values)
        if array.ndim == 2 and 1 < array.shape[1] <= array.shape[0]:
            parts = {f"{key}_{k + 1}": array[:, k] for k in range(array.shape[1])}
        else:
            parts = {str(key): array}
        for part, column in parts.items():
            numbers = _floats(column)
            if numbers is not None and numbers.size > 1:
                found[part] = numbers
    sizes = [column.size for column in found.values()]
    if not sizes:
        raise ValueError(f"{name} has no columns of numbers")
    common = max(set(sizes), key=lambda size: (sizes.count(size), size))
    return {key: column for key, column in found.items() if column.size == common}


def _frame(data: Any, name: str) -> Arrays:
    if isinstance(data, Mapping):
        return _numbers(data, name)
    if isinstance(data, np.ndarray) and data.dtype.names:
        return _numbers({field: data[field] for field in data.dtype.names}, name)
    if hasattr(data, "columns") and hasattr(data, "__getitem__"):
        columns = {str(column): np.asarray(data[column]) for column in data.columns}
        index = getattr(data, "index", None)  # of pandas: often the time
        if index is not None and getattr(index, "name", None) and str(index.name) not in columns:
            columns = {str(index.name): np.asarray(index), **columns}
        return _numbers(columns, name)
    raise TypeError("log: must be a path, a data frame, a structured array, or a mapping of arrays")


def _parquet(path: str) -> Arrays:
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        try:
            import pandas
        except ImportError:
            raise ImportError(f"{path}: a Parquet file needs pyarrow or pandas") from None
        return _frame(pandas.read_parquet(path), path)
    read = parquet.read_table(path)
    return _numbers({column: read[column].to_numpy() for column in read.column_names}, path)


def joint_state(message: bytes) -> tuple[float, list[str], list[tuple[float, ...]]]:
    """Time [s], names, and positions, velocities and efforts of a serialised sensor_msgs/JointState (CDR)."""
    order = "<" if message[1:2] == b"\x01" else ">"
    at = 4

    def take(kind: str, size: int) -> Any:
        nonlocal at
        at += -(at - 4) % size  # aligned, from behind the header
        value = struct.unpack_from(order + kind, message, at)[0]
        at += size
        return value

    def text() -> str:
        nonlocal at
        length = take("I", 4)
        value = message[at:at + length].rstrip(b"\0").decode("utf-8", "replace")
        at += length
        return value

    time = take("i", 4) + 1e-9 * take("I", 4)
    text()  # the frame
    names = [text() for _ in range(take("I", 4))]
    parts = []
    for _ in range(3):
        count = take("I", 4)
        if count > len(message):
            raise ValueError("a JointState is damaged")
        parts.append(tuple(take("d", 8) for _ in range(count)))
    return time, names, parts


def _mcap(path: str, joint: str | None) -> list[tuple[Any, str]]:
    """Each joint of the JointState messages, or the one that was named."""
    try:
        from mcap.reader import make_reader
    except ImportError:
        raise ImportError(f"{path}: an MCAP file needs the package mcap") from None
    rows: dict[str, list[tuple[float, float, float, float]]] = {}
    with open(path, "rb") as stream:
        for schema, _, message in make_reader(stream).iter_messages():
            if schema is None or schema.name not in ("sensor_msgs/msg/JointState", "sensor_msgs/JointState"):
                continue
            try:
                time, names, (position, velocity, effort) = joint_state(message.data)
            except struct.error:
                raise ValueError(f"{path}: a JointState is damaged") from None
            for k, name in enumerate(names):
                rows.setdefault(name, []).append((time or 1e-9 * message.log_time, *(
                    part[k] if k < len(part) else np.nan for part in (position, velocity, effort))))
    if not rows:
        raise ValueError(f"{path}: has no messages of sensor_msgs/msg/JointState")
    if joint is not None and joint not in rows:
        raise ValueError(f"{path}: has no joint '{joint}'; there are {', '.join(rows)}")
    tables: list[tuple[Any, str]] = []
    for name, values in rows.items():
        if joint is None or name == joint:
            columns = zip(("time [s]", "position", "velocity", "effort"), np.array(sorted(values)).T)
            tables.append(({key: column for key, column in columns if np.isfinite(column).any()}, f"{path}: {name}"))
    return tables


def tables_of(log: Any, joint: str | None) -> list[tuple[Any, str]]:
    """Paths that the library reads itself, or arrays by name; each with a name for messages."""
    if not isinstance(log, (str, os.PathLike)):
        return [(_frame(log, "log"), "log")]
    path = os.fspath(log)
    ending = Path(path).suffix.lower()
    if ending == ".npz":
        with np.load(path, allow_pickle=False) as arrays:
            return [(_numbers({key: arrays[key] for key in arrays.files}, path), path)]
    if ending in (".parquet", ".pq"):
        return [(_parquet(path), path)]
    if ending == ".mcap":
        return _mcap(path, joint)
    return [(path, path)]
