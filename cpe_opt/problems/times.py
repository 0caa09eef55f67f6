"""Times of votes: which column has them, and what they are in seconds since 1970 (UTC).

A time is a date, ``2026-01-31``, a date and a time of day as in ISO 8601,
``2026-01-31T12:00:00+01:00``, or a number since 1970-01-01: of seconds below 1e11, of milliseconds
below 1e14, of microseconds below 1e17, else of nanoseconds. Without an offset it is one of UTC.
"""

from __future__ import annotations

import datetime
import re
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError

_NAME = re.compile(
    r"(?:unix[ _-]?)?(?:time|timestamp|timestamps|tstamp|ts|date|datetime|date[ _-]time|day|epoch)"
    r"(?:[ _-]?(?:utc|ms|s))?"
    r"|(?:created|voted|judged|submitted|answered|rated|collected|recorded|completed|finished|"
    r"played|evaluated)[ _-]?(?:at|on|date|time|timestamp|utc)"
    r"|(?:creation|vote|judgment|judgement|submission|answer|start|end)"
    r"[ _-]?(?:time|date|timestamp)"
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DAY = 86_400.0
_UNITS = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (np.inf, 1e9))


def is_time_name(column: str) -> bool:
    """Whether a column of this name says when a vote was cast.

    Examples
    --------
    >>> [is_time_name(name) for name in ("tstamp", "created_at", "Date", "turn", "latency")]
    [True, True, True, False, False]
    """
    return _NAME.fullmatch(column.strip().lower()) is not None


def seconds_of(values: Any) -> FloatArray:
    """Times in seconds since 1970; NaN for what is none.

    Parameters
    ----------
    values : array of pyarrow, series of pandas, or sequence of texts, numbers or datetimes

    Examples
    --------
    >>> seconds_of(["1970-01-02", "1970-01-01T01:00:00+01:00", 86400, "864e11", "soon"]).tolist()
    [86400.0, 0.0, 86400.0, 86400000000.0, nan]
    """
    import pandas as pd
    import pyarrow as pa

    if isinstance(values, pa.DictionaryArray):
        values = values.dictionary_decode()
    if isinstance(values, pa.Array):
        values = values.to_pandas(date_as_object=False)
    series = pd.Series(values)
    if pd.api.types.is_datetime64_any_dtype(series):
        return _since_1970(series)
    numbers = pd.to_numeric(series, errors="coerce").to_numpy(np.float64)
    size = np.abs(numbers)
    scale = np.select([size < limit for limit, _ in _UNITS], [unit for _, unit in _UNITS], 1.0)
    found = np.where(np.isfinite(numbers), numbers, np.nan) / scale
    rest = np.isnan(found)
    if rest.any():
        texts = series[rest].astype(str).str.strip()
        parsed = pd.to_datetime(texts, utc=True, format="ISO8601", errors="coerce")
        found[rest] = _since_1970(parsed)
    return np.asarray(found, dtype=np.float64)


def _since_1970(series: Any) -> FloatArray:
    """The times of a series of datetimes."""
    import pandas as pd

    utc = pd.to_datetime(series, utc=True)
    passed = (utc - pd.Timestamp(0, tz="UTC")).dt.total_seconds()
    return np.asarray(passed, dtype=np.float64)


def time_of(name: str, value: object, *, end: bool = False) -> float:
    """A time that a user gives, in seconds since 1970; that of a date alone is its first second.

    Parameters
    ----------
    name : str
        Of the argument, for messages.
    value : str, number, date or datetime
    end : bool
        Whether a date alone stands for the end of its day.

    Raises
    ------
    InputError

    Examples
    --------
    >>> time_of("since", "1970-01-02"), time_of("until", "1970-01-02", end=True)
    (86400.0, 172800.0)
    """
    day = type(value) is datetime.date or (
        isinstance(value, str) and _DATE.fullmatch(value.strip()) is not None
    )
    known = isinstance(value, str | int | float | datetime.date) and not isinstance(value, bool)
    seconds = float(seconds_of([value])[0]) if known else np.nan
    if np.isnan(seconds):
        raise InputError(
            f"{name} is {value!r}, expected a time such as 2026-01-31 or 2026-01-31T12:00:00Z"
        )
    return seconds + _DAY * (day and end)
