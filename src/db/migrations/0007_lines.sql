-- What agents say that they are doing. Bookkeeping: never part of the log.
CREATE TABLE agent_line (
  member_row INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('working', 'paused')),
  text TEXT NOT NULL,
  until TEXT,
  -- The agent, or its person.
  setter_row INTEGER NOT NULL,
  source TEXT NOT NULL,
  set_at TEXT NOT NULL,
  late_told INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX paused_line ON agent_line (until) WHERE kind = 'paused' AND late_told = 0;
