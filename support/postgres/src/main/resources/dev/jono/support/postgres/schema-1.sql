-- Times are milliseconds since the epoch, by the server's clock: to_timestamp(due / 1000.0) shows one to people.
CREATE FUNCTION jono.millis() RETURNS bigint LANGUAGE sql VOLATILE PARALLEL SAFE
    AS 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

CREATE TABLE jono.meta (
    key text COLLATE "C" PRIMARY KEY,
    value bigint NOT NULL
);

-- max_per_key: most messages of one ordering key that are held at one time; 0 if the queue is not keyed.
CREATE TABLE jono.queue (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    name text COLLATE "C" NOT NULL UNIQUE,
    max_per_key integer NOT NULL DEFAULT 0
);

-- Ids begin at a random multiple of 2^32: a message that moves here from another database finds no message of its id.
CREATE SEQUENCE jono.message_id;
SELECT setval('jono.message_id', (1 + floor(random() * 2097150))::bigint << 32);

-- state: 0 free, 1 held under a lease, 2 blocked by an earlier message of its ordering key.
-- due: when a message may be handed out; claim: the fence of its holder; lease: when the lease of a held one ends. Of another one,
-- lease is 0 if it is certain that nobody has held it.
-- key: the ordering key, in keyed queues only; xid: the id of a message that another storage or place gave it.
CREATE TABLE jono.message (
    id bigint PRIMARY KEY DEFAULT nextval('jono.message_id'),
    due bigint NOT NULL,
    lease bigint NOT NULL DEFAULT 0,
    claim bigint NOT NULL DEFAULT 0,
    pushed bigint NOT NULL,
    queue integer NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    state smallint NOT NULL DEFAULT 0,
    kind smallint NOT NULL,
    key text COLLATE "C",
    xid text COLLATE "C",
    headers text,
    payload bytea NOT NULL
) WITH (
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0.1,
    autovacuum_analyze_threshold = 1000
);
CREATE INDEX message_free ON jono.message (queue, due, id) WHERE state = 0;
CREATE INDEX message_held ON jono.message (queue, lease, id) WHERE state = 1;
CREATE INDEX message_admitted ON jono.message (queue, key, id) WHERE key IS NOT NULL AND state < 2;
CREATE INDEX message_blocked ON jono.message (queue, key, id) WHERE state = 2;
CREATE UNIQUE INDEX message_xid ON jono.message (queue, xid) WHERE xid IS NOT NULL;

-- The ordering keys that have messages. A transaction that adds a message locks the row of its key until the commit.
CREATE TABLE jono.ordering_key (
    queue integer NOT NULL,
    key text COLLATE "C" NOT NULL,
    PRIMARY KEY (queue, key)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- Keys whose next message could not be admitted, because another transaction had locked the key. The next claim does it.
CREATE TABLE jono.promotion (
    queue integer NOT NULL,
    key text COLLATE "C" NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX promotion_queue ON jono.promotion (queue, key);

-- The calls of the last minutes that changed something: a call that is repeated after a lost answer finds itself here.
-- ids: the messages that a push has stored.
CREATE TABLE jono.call (
    token text COLLATE "C" PRIMARY KEY,
    at bigint NOT NULL,
    ids bigint[]
) WITH (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX call_at ON jono.call (at);

CREATE TABLE jono.history (
    id bigint PRIMARY KEY,
    done bigint NOT NULL,
    until bigint NOT NULL,
    due bigint NOT NULL,
    pushed bigint NOT NULL,
    queue integer NOT NULL,
    tries integer NOT NULL,
    kind smallint NOT NULL,
    xid text COLLATE "C",
    headers text,
    payload bytea NOT NULL
);
CREATE INDEX history_queue ON jono.history (queue, done, id);
CREATE INDEX history_until ON jono.history (until);

-- Keys with a scope have the queue 0.
CREATE TABLE jono.unique_key (
    queue integer NOT NULL,
    scope text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    message text NOT NULL,
    until bigint NOT NULL,
    PRIMARY KEY (queue, scope, key)
);
CREATE INDEX unique_key_until ON jono.unique_key (until);

CREATE TABLE jono.stat (
    namespace text COLLATE "C" NOT NULL,
    queue text COLLATE "C" NOT NULL,
    counter text COLLATE "C" NOT NULL,
    value bigint NOT NULL,
    PRIMARY KEY (namespace, queue, counter)
) WITH (fillfactor = 50);
CREATE TABLE jono.stat_expiry (
    namespace text COLLATE "C" NOT NULL,
    queue text COLLATE "C" NOT NULL,
    until bigint NOT NULL,
    PRIMARY KEY (namespace, queue)
) WITH (fillfactor = 50);
CREATE TABLE jono.paused (
    namespace text COLLATE "C" NOT NULL,
    queue text COLLATE "C" NOT NULL,
    PRIMARY KEY (namespace, queue)
);

-- Records of jobs. until: the end of a record's retention; null for no limit.
CREATE TABLE jono.job (
    id text COLLATE "C" PRIMARY KEY,
    type text COLLATE "C" NOT NULL,
    state smallint NOT NULL,
    attempt integer NOT NULL,
    changed bigint NOT NULL,
    until bigint,
    tags text[] NOT NULL,
    document text NOT NULL
);
CREATE INDEX job_list ON jono.job (type, state, changed DESC, id);
CREATE INDEX job_until ON jono.job (until) WHERE until IS NOT NULL;
CREATE TABLE jono.job_tag (
    type text COLLATE "C" NOT NULL,
    tag text COLLATE "C" NOT NULL,
    state smallint NOT NULL,
    changed bigint NOT NULL,
    id text COLLATE "C" NOT NULL
);
CREATE INDEX job_tag_list ON jono.job_tag (type, tag, state, changed DESC, id);
CREATE INDEX job_tag_id ON jono.job_tag (id);
CREATE TABLE jono.job_log (
    id text COLLATE "C" NOT NULL,
    line bigint NOT NULL,
    time bigint NOT NULL,
    attempt integer NOT NULL,
    bytes integer NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (id, line)
);
CREATE TABLE jono.job_count (
    type text COLLATE "C" NOT NULL,
    state smallint NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (type, state)
) WITH (fillfactor = 50);
CREATE TABLE jono.job_entry (
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    version text NOT NULL,
    document text NOT NULL,
    PRIMARY KEY (kind, name)
);
CREATE TABLE jono.job_event (
    number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    document text NOT NULL
);
CREATE TABLE jono.job_reader (
    id text COLLATE "C" PRIMARY KEY,
    until bigint NOT NULL
);

INSERT INTO jono.meta (key, value) VALUES ('schema', 1);
