-- The values of various per-database settings
PRAGMA page_size=4096;
-- PRAGMA encoding='UTF-8';
-- PRAGMA auto_vacuum=NONE;
-- PRAGMA max_page_count=4294967294;

BEGIN TRANSACTION;

-- Table  feature
DROP TABLE IF EXISTS feature;
CREATE TABLE feature (
    partition INTEGER NOT NULL,
    kind TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    length INTEGER,        -- words; NULL without a text
    terms BLOB NOT NULL,   -- see features.py
    model INTEGER,         -- NULL without a vector
    scale REAL,
    vector BLOB, setting BLOB, speaker TEXT,           -- int8
    PRIMARY KEY (partition, kind, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO feature VALUES(1,'memory',6,9223372036854775807,5,X'90543442CEAFDA540100222A51034245C2310100560383B379D476F00100E21647E66B2992B401001D6BF87179AC07E10100BD95770AAACDCB4E01002B4AD1E7F574CC7D010038B20D8F58F5A334010044643F5A08DE71B10100166894F3A3C1C2980100BB59A9649F4936CE0100',1,0.00629921269229078,X'5F7F0000',X'00863CC1524706000000000000000000000000000000000000000000000000000000000000000000FFFFFFFFFFFFFF7F0000000000000000',NULL);
INSERT INTO feature VALUES(1,'memory',7,9223372036854775807,4,X'42D8BA62CEB8F67501001AEF47BE295DC2D20100CE702B590D4CA1920100E0FDF6B4916FAF6C0100',2,0.00629921269229078,X'00007F5F',X'40C84BC1524706000000000000000000000000000000000000000000000000000000000000000000FFFFFFFFFFFFFF7F0000000000000000',NULL);
INSERT INTO feature VALUES(1,'memory',8,1767274215123456,3,X'34CC03CE157B18630100BB59A9649F4936CE01001FB45D0AD08E2476010066756A365323072B0100',NULL,NULL,NULL,X'00863CC1524706000000000000000000000000000000000000000000000000000000000000000000FFFFFFFFFFFFFF7F0000000000000000',NULL);
INSERT INTO feature VALUES(3,'memory',9,9223372036854775807,3,X'1D6BF87179AC07E10100220FA0A31E4A04D70100166894F3A3C1C2980100BB59A9649F4936CE0100E60F344CC3B71818010074F32B2BB966A4920100',NULL,NULL,NULL,X'00863CC1524706000000000000000000000000000000000000000000000000000000000000000000FFFFFFFFFFFFFF7F0000000000000000',NULL);

-- Table  field
DROP TABLE IF EXISTS field;
CREATE TABLE field (
    partition INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    value ANY NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (partition, kind, name, type, value, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO field VALUES(1,'memory','agent','text','it''s',6);
INSERT INTO field VALUES(1,'memory','open','boolean',1,6);
INSERT INTO field VALUES(1,'memory','run','null',0,6);
INSERT INTO field VALUES(1,'memory','share','number',0.5,6);
INSERT INTO field VALUES(1,'memory','stars','number',5,6);
INSERT INTO field VALUES(1,'memory','tags','boolean',0,6);
INSERT INTO field VALUES(1,'memory','tags','number',1,6);
INSERT INTO field VALUES(1,'memory','tags','text','a',6);

-- Table  half
DROP TABLE IF EXISTS half;
CREATE TABLE half (
    sequence INTEGER PRIMARY KEY,
    vector BLOB NOT NULL
) STRICT;
INSERT INTO half VALUES(6,X'CD38663A00000000');
INSERT INTO half VALUES(7,X'00000000663ACD38');

-- Table  job
DROP TABLE IF EXISTS job;
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
INSERT INTO job VALUES(1,'running','digest','a',1,'{"event":"event"}',1767270615123456,1,0,'lease-00000000-0000-4000-8000-000000000001',1767270675123456,NULL);
INSERT INTO job VALUES(2,'waiting','digest','a',1,'{"text":"等"}',1767270615123456,0,0,NULL,0,NULL);
-- Triggers and indices on  job
CREATE TRIGGER job_added AFTER INSERT ON job BEGIN
    UPDATE meta SET value = value + 1 WHERE name = 'jobs';
END;
CREATE INDEX job_by_lane ON job (lane, number);
CREATE INDEX job_by_partition ON job (partition);
CREATE INDEX job_leased ON job (lease_until, lane) WHERE lease IS NOT NULL;
CREATE TRIGGER job_removed AFTER DELETE ON job BEGIN
    UPDATE meta SET value = value - 1 WHERE name = 'jobs';
END;

-- Table  meta
DROP TABLE IF EXISTS meta;
CREATE TABLE meta (
    name TEXT NOT NULL PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('jobs',2);
INSERT INTO meta VALUES('sequence',9);
INSERT INTO meta VALUES('tokeniser','1.3.1.0');

-- Table  model
DROP TABLE IF EXISTS model;
CREATE TABLE model (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO model VALUES(1,'model-a');
INSERT INTO model VALUES(2,'model-b');

-- Table  partition
DROP TABLE IF EXISTS "partition";
CREATE TABLE partition (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    owner TEXT NOT NULL,
    UNIQUE (workspace, owner)
) STRICT;
INSERT INTO "partition" VALUES(1,'default','user:agentic_memory/__default__/%E7%88%B1%E4%B8%BD%E4%B8%9D');
INSERT INTO "partition" VALUES(3,'default','user:agentic_memory/__default__/bob%2F%25');

-- Table  record
DROP TABLE IF EXISTS record;
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
INSERT INTO record VALUES(3,1,'event','event',NULL,1,1767270615123456,1767270615123456,9223372036854775807,NULL,'{}','{"state":"PENDING"}');
INSERT INTO record VALUES(6,1,'memory','tea','fingerprint-1',2,1767270615123456,1767270675123456,9223372036854775807,'小明喜欢喝茶','{"agent":"it''s","stars":5,"share":0.5,"open":true,"run":null,"tags":["a",1,false]}','{"text":"小明喜欢喝茶","history":[1,2.5,null,true]}');
INSERT INTO record VALUES(7,1,'memory','coffee',NULL,1,1767270616123456,1767270616123456,9223372036854775807,'Caroline is drinking coffee','{}','{"text":"Caroline is drinking coffee"}');
INSERT INTO record VALUES(8,1,'memory','brief',NULL,1,1767270615123456,1767270615123456,1767274215123456,'茶 that ends','{}','{}');
INSERT INTO record VALUES(9,3,'memory','tea',NULL,1,1767270615123456,1767270615123456,9223372036854775807,'喝茶的 Bob','{}','{}');
-- Triggers and indices on  record
CREATE INDEX record_by_created ON record (partition, kind, created, id, expires);
CREATE INDEX record_by_expiry ON record (expires) WHERE expires < 9223372036854775807;
CREATE UNIQUE INDEX record_by_id ON record (id, kind, partition);
CREATE UNIQUE INDEX record_by_key ON record (partition, kind, unique_key) WHERE unique_key IS NOT NULL;
CREATE INDEX record_by_sequence ON record (partition, sequence);

-- Table  tombstone
DROP TABLE IF EXISTS tombstone;
CREATE TABLE tombstone (
    partition INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id TEXT,
    old_sequence INTEGER NOT NULL,
    PRIMARY KEY (partition, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO tombstone VALUES(1,4,'memory','gone',2);
INSERT INTO tombstone VALUES(1,5,'memory',NULL,1);
-- Triggers and indices on  tombstone
CREATE INDEX tombstone_by_id ON tombstone (partition, kind, id, sequence) WHERE id IS NOT NULL;

-- For primary key autoincrements the next id to use is stored in
-- sqlite_sequence
DELETE FROM main.sqlite_sequence WHERE name='job';
INSERT INTO main.sqlite_sequence VALUES ('job', 2);
DELETE FROM main.sqlite_sequence WHERE name='partition';
INSERT INTO main.sqlite_sequence VALUES ('partition', 3);

-- Database header
pragma user_version=2;

COMMIT TRANSACTION;
