-- A receipt of each restore from a backup.
CREATE TABLE restore (
  row INTEGER PRIMARY KEY,
  backup TEXT NOT NULL,
  taken_at TEXT NOT NULL,
  restored_at TEXT NOT NULL,
  generation TEXT NOT NULL,
  choice TEXT NOT NULL CHECK (choice IN ('keep', 'revoke')),
  boards INTEGER NOT NULL,
  events INTEGER NOT NULL,
  people INTEGER NOT NULL,
  files INTEGER NOT NULL
) STRICT;
