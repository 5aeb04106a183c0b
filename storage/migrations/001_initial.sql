-- Times are ISO 8601 UTC text of fixed width; Discord ids are integers.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- One row per paper. `fields` is JSON: what a record says, beyond what has a table of its own.
-- `origins` is JSON: which kind of source each field came from. `changed` is the counter of the
-- transaction that touched the row last, so that an index can ask for what it hasn't seen.
CREATE TABLE papers (
    id INTEGER PRIMARY KEY,
    title_en TEXT NOT NULL,
    title_zh TEXT,
    arxiv_id TEXT,
    fields TEXT NOT NULL,
    origins TEXT NOT NULL,
    status TEXT NOT NULL,
    track TEXT,
    year INTEGER,
    added_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    changed INTEGER NOT NULL
) STRICT;

CREATE INDEX papers_changed ON papers (changed);

-- Every key a paper was ever seen under; two namesakes may share a title key.
CREATE TABLE paper_keys (
    key TEXT NOT NULL,
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    PRIMARY KEY (key, paper_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE paper_authors (
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (paper_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX paper_authors_key ON paper_authors (key);

-- An affiliation as printed, resolved once.
CREATE TABLE affiliations (
    id INTEGER PRIMARY KEY,
    name_en TEXT NOT NULL,
    name_zh TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL,
    UNIQUE (name_en, name_zh)
) STRICT;

-- The organisations (ids of the institutions table) that an affiliation names, in its order; often one, or none.
CREATE TABLE affiliation_organisations (
    affiliation_id INTEGER NOT NULL REFERENCES affiliations (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    organisation TEXT NOT NULL,
    PRIMARY KEY (affiliation_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX affiliation_organisations_organisation ON affiliation_organisations (organisation);

CREATE TABLE paper_affiliations (
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    affiliation_id INTEGER NOT NULL REFERENCES affiliations (id),
    PRIMARY KEY (paper_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX paper_affiliations_affiliation ON paper_affiliations (affiliation_id);

CREATE TABLE summaries (
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    language TEXT NOT NULL,
    text TEXT NOT NULL,
    origin TEXT NOT NULL,
    PRIMARY KEY (paper_id, language)
) STRICT, WITHOUT ROWID;

-- One row per load of one or more files; finished_at stays NULL while an import is under way.
CREATE TABLE loads (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    started_at TEXT NOT NULL,
    finished_at TEXT,
    decided_at TEXT,
    report TEXT
) STRICT;

CREATE INDEX loads_undecided ON loads (id) WHERE decided_at IS NULL;

-- A paper is news once in its life; seq orders the news.
CREATE TABLE news (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    paper_id INTEGER NOT NULL UNIQUE REFERENCES papers (id) ON DELETE CASCADE,
    load_id INTEGER NOT NULL REFERENCES loads (id),
    at TEXT NOT NULL
) STRICT;

CREATE INDEX news_load ON news (load_id);

CREATE TABLE guilds (
    guild_id INTEGER PRIMARY KEY,
    language TEXT,
    left_at TEXT
) STRICT;

CREATE TABLE digests (
    guild_id INTEGER PRIMARY KEY,
    channel_id INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    minute INTEGER NOT NULL,
    timezone TEXT NOT NULL,
    language TEXT NOT NULL,
    days TEXT NOT NULL,
    tracks TEXT NOT NULL,
    include TEXT NOT NULL,
    exclude TEXT NOT NULL,
    paused INTEGER NOT NULL DEFAULT 0,
    since_seq INTEGER NOT NULL,
    set_by INTEGER NOT NULL,
    set_at TEXT NOT NULL,
    held_reason TEXT,
    held_since TEXT
) STRICT;

-- The ledger: one row per guild and local date, whatever woke the scheduler.
CREATE TABLE digest_dates (
    guild_id INTEGER NOT NULL,
    local_date TEXT NOT NULL,
    decided_at TEXT NOT NULL,
    papers INTEGER NOT NULL,
    PRIMARY KEY (guild_id, local_date)
) STRICT, WITHOUT ROWID;

-- Which papers a channel has had; passed = the filter passed over it, which counts as had.
CREATE TABLE channel_papers (
    channel_id INTEGER NOT NULL,
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    passed INTEGER NOT NULL,
    PRIMARY KEY (channel_id, paper_id)
) STRICT, WITHOUT ROWID;

-- kind: institution | author | keyword. value: organisation id, author key or query; label: as the person sees it.
-- channel_id is NULL for a DM subscription.
CREATE TABLE subscriptions (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    guild_id INTEGER,
    channel_id INTEGER,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    label TEXT NOT NULL,
    children INTEGER NOT NULL DEFAULT 1,
    language TEXT NOT NULL,
    since_seq INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    paused_reason TEXT,
    muted INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE UNIQUE INDEX subscriptions_once ON subscriptions (user_id, coalesce(channel_id, 0), kind, value);
CREATE INDEX subscriptions_match ON subscriptions (kind, value);
CREATE INDEX subscriptions_channel ON subscriptions (channel_id);

CREATE TABLE people (
    user_id INTEGER PRIMARY KEY,
    language TEXT,
    dm_channel_id INTEGER,
    dm_strikes INTEGER NOT NULL DEFAULT 0,
    dm_problem TEXT,
    told_problem INTEGER NOT NULL DEFAULT 1
) STRICT;

-- Everything the bot sends on its own initiative. whom: "channel:ID" or "user:ID".
-- state: pending | sending | sent | held | failed | cancelled.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    what TEXT NOT NULL,
    part INTEGER NOT NULL,
    whom TEXT NOT NULL,
    guild_id INTEGER,
    body TEXT NOT NULL,
    nonce TEXT NOT NULL,
    mark TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending',
    attempts INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    next_at TEXT NOT NULL,
    first_attempt_at TEXT,
    last_attempt_at TEXT,
    uncertain INTEGER NOT NULL DEFAULT 0,
    rendered_again INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    channel_id INTEGER,
    message_id INTEGER,
    finished_at TEXT,
    UNIQUE (what, part, whom)
) STRICT;

CREATE INDEX outbox_open ON outbox (whom, id) WHERE state IN ('pending', 'sending', 'held');
CREATE INDEX outbox_guild ON outbox (guild_id, id);
CREATE INDEX outbox_mark ON outbox (mark);

-- The papers a part shows, and (shown = 0) those behind its "and N more".
CREATE TABLE outbox_papers (
    outbox_id INTEGER NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    paper_id INTEGER NOT NULL,
    shown INTEGER NOT NULL,
    PRIMARY KEY (outbox_id, position)
) STRICT, WITHOUT ROWID;

-- Files of the watched folder, remembered by content.
CREATE TABLE source_files (
    name TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    load_id INTEGER,
    error TEXT
) STRICT;

CREATE TABLE sources (
    name TEXT PRIMARY KEY,
    last_success TEXT,
    last_error TEXT,
    last_error_at TEXT,
    next_run TEXT,
    state TEXT
) STRICT;

-- State behind page buttons that must survive a restart; custom_ids hold the token only.
CREATE TABLE pages (
    token TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE library (
    user_id INTEGER NOT NULL,
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    saved_at TEXT NOT NULL,
    PRIMARY KEY (user_id, paper_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE corrections (
    id INTEGER PRIMARY KEY,
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open',
    created_at TEXT NOT NULL,
    decided_at TEXT
) STRICT;
