-- Times are whole microseconds since 1970 (UTC); "never" is the largest integer, so that one comparison decides.
-- `sequence` numbers come from one counter for records and tombstones: whoever knows how far it has read can go on.

CREATE TABLE meta (
    name TEXT NOT NULL PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO meta (name, value) VALUES ('sequence', 0), ('jobs', 0), ('tokeniser', '');

-- AUTOINCREMENT: the number of a dropped partition is never given out again, so what is remembered of it is never found.
CREATE TABLE partition (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    owner TEXT NOT NULL,
    UNIQUE (workspace, owner)
) STRICT;

CREATE TABLE model (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- A put deletes the row it replaces and inserts a new one with a new sequence: whatever follows the table only appends.
CREATE TABLE record (
    sequence INTEGER PRIMARY KEY,
    partition INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    unique_key TEXT,
    version INTEGER NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    text TEXT,
    fields TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;

-- The id comes first: an index that began with the kind would tempt SQLite to walk through every tenant's records.
CREATE UNIQUE INDEX record_by_id ON record (id, kind, partition);
CREATE UNIQUE INDEX record_by_key ON record (partition, kind, unique_key) WHERE unique_key IS NOT NULL;
CREATE INDEX record_by_created ON record (partition, kind, created, id, expires);
CREATE INDEX record_by_sequence ON record (partition, sequence);
CREATE INDEX record_by_expiry ON record (expires) WHERE expires < 9223372036854775807;

-- One row for each value of each filter field.
CREATE TABLE field (
    partition INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    value ANY NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (partition, kind, name, type, value, sequence)
) STRICT, WITHOUT ROWID;

-- What a search reads, clustered so that a cold partition is one sequential read.
CREATE TABLE feature (
    partition INTEGER NOT NULL,
    kind TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    length INTEGER,        -- words; NULL without a text
    terms BLOB NOT NULL,   -- see features.py
    model INTEGER,         -- NULL without a vector
    scale REAL,
    vector BLOB,           -- int8
    PRIMARY KEY (partition, kind, sequence)
) STRICT, WITHOUT ROWID;

-- The same vectors as float16, for the few that are measured exactly.
CREATE TABLE half (
    sequence INTEGER PRIMARY KEY,
    vector BLOB NOT NULL
) STRICT;

-- Rows that are gone. `id` is NULL when another row replaced them: the record itself still exists.
CREATE TABLE tombstone (
    partition INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id TEXT,
    old_sequence INTEGER NOT NULL,
    PRIMARY KEY (partition, sequence)
) STRICT, WITHOUT ROWID;

CREATE INDEX tombstone_by_id ON tombstone (partition, kind, id, sequence) WHERE id IS NOT NULL;

CREATE TABLE job (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    lane TEXT NOT NULL,
    partition INTEGER NOT NULL,
    payload TEXT NOT NULL,
    enqueued INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    run_after INTEGER NOT NULL DEFAULT 0,
    lease TEXT,
    lease_until INTEGER NOT NULL DEFAULT 0,
    last_error TEXT
) STRICT;

CREATE INDEX job_by_lane ON job (lane, number);
CREATE INDEX job_by_partition ON job (partition);
CREATE INDEX job_leased ON job (lease_until, lane) WHERE lease IS NOT NULL;

-- The queue is bounded, and counting a hundred thousand rows at every add would be felt.
CREATE TRIGGER job_added AFTER INSERT ON job BEGIN
    UPDATE meta SET value = value + 1 WHERE name = 'jobs';
END;

CREATE TRIGGER job_removed AFTER DELETE ON job BEGIN
    UPDATE meta SET value = value - 1 WHERE name = 'jobs';
END;
