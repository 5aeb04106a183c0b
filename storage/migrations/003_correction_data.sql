-- What a report says in a form that a program can carry out, e.g. which affiliation isn't which organisation.
ALTER TABLE corrections ADD COLUMN data TEXT;
