"""What may a statement do once the tables are loaded? Read them, with functions whose work is bounded, for a while."""

from __future__ import annotations

import time

import apsw

from yiku.adapters.sql.problems import Names, listed

_STEPS_BETWEEN_LOOKS = 10_000
_HEAP_BYTES_MAX = 256 * 1024 * 1024
"""Beside the tables: sorting, grouping, recursion."""
_LIMITS = {
    apsw.SQLITE_LIMIT_LENGTH: 5_000_000,
    apsw.SQLITE_LIMIT_SQL_LENGTH: 20_000,
    apsw.SQLITE_LIMIT_EXPR_DEPTH: 100,
    apsw.SQLITE_LIMIT_COMPOUND_SELECT: 50,
    apsw.SQLITE_LIMIT_FUNCTION_ARG: 30,
    apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 500,
    apsw.SQLITE_LIMIT_ATTACHED: 0,
    apsw.SQLITE_LIMIT_VARIABLE_NUMBER: 1,
    apsw.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    apsw.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_AGGREGATES = "avg count group_concat max median min percentile percentile_cont percentile_disc string_agg sum total"
_WINDOWS = "cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number"
_NUMBERS = "abs ceil ceiling degrees exp floor ln log log10 log2 mod pi pow power radians round sign sqrt trunc"
_TEXTS = "char concat concat_ws glob instr length like lower ltrim replace rtrim substr substring trim unicode upper"
_DATES = "current_date current_time current_timestamp date datetime julianday strftime time timediff unixepoch"
_CHOICES = "coalesce if ifnull iif nullif typeof hex quote"
_FUNCTIONS = frozenset(f"{_AGGREGATES} {_WINDOWS} {_NUMBERS} {_TEXTS} {_DATES} {_CHOICES}".split())
"""Not printf and format: one call of them can take minutes. Not what makes large blobs, reads files or asks SQLite
about itself."""


_NOT_LISTED = {"json_each", "json_tree"}
"""Modules that SQLite makes only when they are named."""


class Lock:
    """Locks the connection for good. `denied` says what the statement tried that it may not."""

    def __init__(self, connection: apsw.Connection, names: Names, *, seconds: float) -> None:
        self.names = names
        self.denied: str | None = None
        self._tables = {name.lower() for name in names}
        listing = connection.execute("SELECT lower(name) FROM pragma_module_list")
        self._modules = _NOT_LISTED | {name for (name,) in listing}
        self._ends = time.monotonic() + seconds
        # Otherwise a column that is not there, in double quotes, would be taken for text: an answer that looks right.
        connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.execute("PRAGMA temp_store = MEMORY")
        apsw.hard_heap_limit(apsw.memory_used() + _HEAP_BYTES_MAX)
        for limit, bound in _LIMITS.items():
            connection.limit(limit, bound)
        connection.set_progress_handler(self._is_over, _STEPS_BETWEEN_LOOKS)
        connection.authorizer = self._judge

    def _is_over(self) -> bool:
        return time.monotonic() > self._ends

    def _may_be_read(self, table: str, column: str | None) -> bool:
        """`count(*)` reads no column, and also asks for what WITH has named; never for what SQLite brings along."""
        is_theirs = table in self._modules or table.startswith(("sqlite_", "pragma_"))
        return table in self._tables or (column == "" and not is_theirs)

    def _judge(self, action: int, first: str | None, second: str | None, *_where: str | None) -> int:
        match action:
            case apsw.SQLITE_SELECT | apsw.SQLITE_RECURSIVE:
                return apsw.SQLITE_OK
            case apsw.SQLITE_READ if first is not None and self._may_be_read(first.lower(), second):
                return apsw.SQLITE_OK
            case apsw.SQLITE_FUNCTION if second is not None and second.lower() in _FUNCTIONS:
                return apsw.SQLITE_OK
            case apsw.SQLITE_FUNCTION:
                self.denied = f"The function {second} is not allowed here. These are: {', '.join(sorted(_FUNCTIONS))}."
            case apsw.SQLITE_READ:
                self.denied = f"There is no table {first} to read: the tables are {listed(self.names)}."
            case _:
                self.denied = "Only reading is possible: nothing can be changed, attached or set."
        return apsw.SQLITE_DENY
