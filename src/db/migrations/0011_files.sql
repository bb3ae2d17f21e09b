-- Files of a board, their versions, and which of them people approved. Made by the log alone; the bytes lie beside the
-- database, by their digest.
CREATE TABLE file (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  board_row INTEGER NOT NULL REFERENCES board,
  name TEXT NOT NULL,
  maintained INTEGER NOT NULL,
  -- The newest version, and the place of the event that recorded it.
  latest INTEGER NOT NULL,
  latest_place INTEGER NOT NULL,
  removed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX file_named ON file (board_row, name) WHERE removed = 0;
CREATE INDEX file_in_order ON file (board_row, maintained, latest_place) WHERE removed = 0;

CREATE TABLE file_version (
  file_row INTEGER NOT NULL,
  version INTEGER NOT NULL,
  -- Place of the event that recorded it.
  place INTEGER NOT NULL,
  -- Of the bytes, in lowercase hex.
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  media_type TEXT NOT NULL,
  writer_row INTEGER NOT NULL,
  written_at TEXT NOT NULL,
  base INTEGER NOT NULL,
  PRIMARY KEY (file_row, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_version_of_bytes ON file_version (sha256);
CREATE INDEX file_version_of_writer ON file_version (writer_row, file_row);

-- The tasks that a file is about, in their order.
CREATE TABLE file_task (
  file_row INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  task_row INTEGER NOT NULL,
  PRIMARY KEY (file_row, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_of_task ON file_task (task_row, file_row);

-- One for each person and file.
CREATE TABLE file_approval (
  file_row INTEGER NOT NULL,
  member_row INTEGER NOT NULL,
  version INTEGER NOT NULL,
  place INTEGER NOT NULL,
  approved_at TEXT NOT NULL,
  PRIMARY KEY (file_row, member_row)
) STRICT, WITHOUT ROWID;

-- Which messages attached which versions.
CREATE TABLE file_posted (
  file_row INTEGER NOT NULL,
  place INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (file_row, place, version)
) STRICT, WITHOUT ROWID;

-- When tasks were closed: counted since a version was written.
CREATE INDEX task_closing ON event (place) WHERE type = 'task.done';
