-- The last report of a seat's delivery queue to its server: a revision is never used twice.
CREATE TABLE queue_report (
  server    TEXT NOT NULL,
  member_id TEXT NOT NULL,
  session   TEXT NOT NULL,
  boot      TEXT NOT NULL,
  epoch     INTEGER NOT NULL,
  revision  INTEGER NOT NULL,
  PRIMARY KEY (server, member_id)
) STRICT, WITHOUT ROWID;
