-- Times are whole microseconds since 1970 (UTC); "never" is the largest integer, so that one comparison decides.
-- Text that is compared or ordered has the collation "C": the order of code points, on every server.

-- One row a tenant, and the lock that its commits queue for. A record's `sequence` is the number of its partition in
-- the upper 32 bits and a count of changes in the lower: the partition leads that key too, numbers of one partition
-- appear in the order of its commits, and a partition that was dropped and made anew goes on above the old numbers.
CREATE TABLE partition (
    number INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C" NOT NULL,
    counter BIGINT NOT NULL DEFAULT 0,
    UNIQUE (workspace, owner)
);

CREATE TABLE record (
    sequence BIGINT PRIMARY KEY,
    partition INTEGER NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    unique_key TEXT COLLATE "C",
    version INTEGER NOT NULL,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    text TEXT,
    fields TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE UNIQUE INDEX record_by_id ON record (partition, kind, id);
CREATE UNIQUE INDEX record_by_key ON record (partition, kind, unique_key) WHERE unique_key IS NOT NULL;
CREATE INDEX record_by_created ON record (partition, kind, created, id);
-- For the two questions that do not know their partition: `locate`, and what has expired.
-- By a hash, so that nobody who knows the partition is tempted to walk through the same ids of others.
CREATE INDEX record_located ON record (hashtextextended(id, 0));
CREATE INDEX record_expiring ON record (expires) WHERE expires < 9223372036854775807;

-- One row for each value of each filter field. Name and value are digests (see fields.py): names and values may be
-- longer than an index entry. The values themselves are only there for comparisons.
CREATE TABLE field (
    partition INTEGER NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    name BYTEA NOT NULL,
    value BYTEA NOT NULL,
    sequence BIGINT NOT NULL,
    text TEXT COLLATE "C",
    number NUMERIC,
    PRIMARY KEY (partition, kind, name, value, sequence)
);

-- What the servers' indexes in memory are loaded from.
CREATE TABLE feature (
    partition INTEGER NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    sequence BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    length INTEGER,        -- words; NULL without a text
    terms BYTEA NOT NULL,  -- see engine/features.py
    model TEXT,            -- NULL without a vector
    scale DOUBLE PRECISION,
    vector BYTEA,          -- int8
    PRIMARY KEY (partition, kind, sequence)
);

-- The same vectors as float16, for the few that are measured exactly.
CREATE TABLE embedding (
    sequence BIGINT PRIMARY KEY,
    vector HALFVEC NOT NULL
);

-- Rows that are gone. `id` is NULL when another row replaced them: the record itself still exists.
CREATE TABLE tombstone (
    sequence BIGINT PRIMARY KEY,
    partition INTEGER NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C",
    old_sequence BIGINT NOT NULL
);

CREATE INDEX tombstone_by_id ON tombstone (partition, kind, id, sequence) WHERE id IS NOT NULL;

CREATE TABLE job (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL CONSTRAINT job_id UNIQUE,
    kind TEXT COLLATE "C" NOT NULL,
    lane TEXT COLLATE "C" NOT NULL,
    partition INTEGER NOT NULL,
    payload TEXT NOT NULL,
    enqueued BIGINT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    run_after BIGINT NOT NULL DEFAULT 0,
    lease TEXT COLLATE "C",
    lease_until BIGINT NOT NULL DEFAULT 0,
    last_error TEXT
);

CREATE INDEX job_by_lane ON job (lane, number);
CREATE INDEX job_by_partition ON job (partition);
CREATE INDEX job_leased ON job (lane, lease_until) WHERE lease IS NOT NULL;

-- Rows of these two die young: without this, scans walk over more dead rows than live ones.
ALTER TABLE job SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, fillfactor = 70);
ALTER TABLE partition SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, fillfactor = 70);

INSERT INTO meta (name, value) VALUES ('tokeniser', '');
