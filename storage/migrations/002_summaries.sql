-- What a language model answered, by question (a hash of model, language and source text): asked once.
CREATE TABLE summary_answers (
    question TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Papers for which an answer couldn't be used; they aren't asked for again before next_at.
CREATE TABLE summary_attempts (
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    language TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_at TEXT NOT NULL,
    problem TEXT NOT NULL,
    PRIMARY KEY (paper_id, language)
) STRICT, WITHOUT ROWID;

-- Requests to the language model by UTC day, against the daily budget.
CREATE TABLE summary_days (
    day TEXT PRIMARY KEY,
    requests INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
